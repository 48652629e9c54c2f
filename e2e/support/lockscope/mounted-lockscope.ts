import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeCertificate } from '../servers/certificate.ts';
import { startPrefixProxy } from '../servers/prefix-proxy.ts';
import { end } from '../servers/server-process.ts';
import { waitFor } from '../wait-for.ts';
import { cookieOf } from './cookie-of.ts';
import { libraryOptions } from './library-options.ts';
import { type Lockscope, speakTo, untilObserving } from './lockscope.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const EXAMPLE = join(ROOT, 'examples/express/server.mjs');
const PREFIX = '/tools';

/** The login of the example. */
export const ADMIN = { username: 'admin', password: 'change-me' };

/** Starts the example of Express with these flags behind a proxy with TLS, and waits until it observes. */
export async function startMounted(redisUrl: string, flags: readonly string[]): Promise<Lockscope> {
  const env = {
    ...process.env,
    REDIS_URL: redisUrl,
    PORT: '0',
    OPTIONS: JSON.stringify(libraryOptions([redisUrl, ...flags])),
  };
  const child = spawn(process.execPath, [EXAMPLE], { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'], env });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const inner = await waitFor('the example', (missing) => /^ready (\S+)$/m.exec(output)?.[1] ?? missing(output));
  const proxy = await startPrefixProxy({ prefix: PREFIX, to: new URL(inner).origin, tls: await certificate() });
  const authorization = `Basic ${Buffer.from(`${ADMIN.username}:${ADMIN.password}`).toString('base64')}`;
  const lockscope = speakTo({
    url: `${proxy.origin}${PREFIX}/ops/locks`,
    api: { url: inner, headers: { authorization, cookie: await cookieOf(inner, { authorization }) } },
    output: () => output,
    how: () => output,
    async stop() {
      await proxy.end();
      await end(child);
    },
  });
  await untilObserving(lockscope);
  return lockscope;
}

/** A self-signed certificate and its key, as PEM texts. */
async function certificate(): Promise<{ key: string; cert: string }> {
  const dir = mkdtempSync(join(tmpdir(), 'lockscope-certificate-'));
  try {
    const { key, cert } = await makeCertificate(dir);
    return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
  } finally {
    rmSync(dir, { recursive: true });
  }
}
