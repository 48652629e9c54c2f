import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeCertificate } from '../servers/certificate.ts';
import { startPrefixProxy } from '../servers/prefix-proxy.ts';
import { end } from '../servers/server-process.ts';
import { waitFor } from '../wait-for.ts';
import { type Lockscope, speakTo } from './lockscope.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const EXAMPLE = join(ROOT, 'examples/express/server.mjs');
const PREFIX = '/tools';

/** The login of the example. */
export const ADMIN = { username: 'admin', password: 'change-me' };

/** What the example can be asked for by its environment; undefined if these flags ask for more. */
export function mountedWish(flags: readonly string[]): Record<string, string> | undefined {
  const [flag, level = '', ...more] = flags;
  if (flag === undefined) return {};
  return flag === '--observe' && more.length === 0 ? { OBSERVE: level } : undefined;
}

/** Starts the example of Express behind a proxy with TLS, and waits until it observes. */
export async function startMounted(redisUrl: string, wish: Record<string, string>): Promise<Lockscope> {
  const env = { ...process.env, REDIS_URL: redisUrl, PORT: '0', ...wish };
  const child = spawn(process.execPath, [EXAMPLE], { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'], env });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const inner = await waitFor('the example', (missing) => /^ready (\S+)$/m.exec(output)?.[1] ?? missing(output));
  const proxy = await startPrefixProxy({ prefix: PREFIX, to: new URL(inner).origin, tls: await certificate() });
  const authorization = `Basic ${Buffer.from(`${ADMIN.username}:${ADMIN.password}`).toString('base64')}`;
  const lockscope = speakTo({
    url: `${proxy.origin}${PREFIX}/ops/locks`,
    api: { url: inner, headers: { authorization } },
    pid: child.pid ?? 0,
    output: () => output,
    how: () => output,
    async stop() {
      await proxy.end();
      await end(child);
    },
  });
  await waitFor('it to observe', async (missing) => {
    const { sources } = await lockscope.health();
    return sources.every(({ status }) => status === 'observing') || missing(JSON.stringify(sources));
  });
  return lockscope;
}

/** The texts of a self-signed certificate. */
async function certificate(): Promise<{ key: string; cert: string }> {
  const dir = mkdtempSync(join(tmpdir(), 'lockscope-certificate-'));
  try {
    const { key, cert } = await makeCertificate(dir);
    return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
  } finally {
    rmSync(dir, { recursive: true });
  }
}
