import { type ExecFileOptions, execFile } from 'node:child_process';
import { copyFileSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { connect } from '../../library/client.ts';
import { waitFor } from '../support/wait-for.ts';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const IMAGE = 'lockscope:of-this-test';
const TOKEN = 'a-token-for-this-container';
const END_MS = 3000;
/** Docker accepts connections before the program in the container listens, and leaves them without an answer. */
const ANSWER_MS = 2000;
/** As compose.yaml and the Kubernetes example have it. */
const HARDENED = ['--read-only', '--tmpfs', '/tmp', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges:true'];
const CA_COPY = join(ROOT, 'docker/ca/of-this-test.crt');

const hasDocker = await run('docker', ['info']).then(
  () => true,
  () => false,
);
const running: string[] = [];

const docker = async (args: readonly string[], options: ExecFileOptions = {}): Promise<string> =>
  String((await run('docker', [...args], { maxBuffer: 64e6, ...options })).stdout).trim();

beforeAll(async () => {
  if (!hasDocker) return;
  // Where npm trusts the certificate of a proxy, the build must do so too.
  const ca = process.env.NODE_EXTRA_CA_CERTS ?? (await run('npm', ['config', 'get', 'cafile'])).stdout.trim();
  if (existsSync(ca)) copyFileSync(ca, CA_COPY);
  await docker(['build', '--tag', IMAGE, ROOT]);
}, 900_000);

afterEach(async () => {
  for (const id of running.splice(0)) await docker(['rm', '--force', id]);
});

afterAll(async () => {
  rmSync(CA_COPY, { force: true });
  if (hasDocker) await docker(['rmi', '--force', IMAGE]);
});

/** Starts a container; returns its id and the address of its page. */
async function start(command: readonly string[], flags: readonly string[] = []): Promise<{ id: string; url: string }> {
  const id = await docker([
    'run',
    '--detach',
    '--publish',
    '127.0.0.1::4680',
    ...HARDENED,
    ...flags,
    IMAGE,
    ...command,
  ]);
  running.push(id);
  const [address = ''] = (await docker(['port', id, '4680'])).split('\n');
  return { id, url: `http://${address}` };
}

const logOf = async (id: string): Promise<string> => {
  const { stdout, stderr } = await run('docker', ['logs', id]);
  return stdout + stderr;
};

test.skipIf(!hasDocker)('the demo plays in a container that has no rights, and ends within three seconds', async () => {
  const { id, url } = await start(['demo'], ['--env', `LOCKSCOPE_TOKEN=${TOKEN}`]);
  const lockscope = connect(url, { token: TOKEN, answerWithinMs: ANSWER_MS });
  await waitFor(
    'the demo',
    async (missing) => (await lockscope.health().catch(async () => missing(await logOf(id))))?.demo,
  );
  expect((await fetch(`${url}/api/health`)).status).toBe(401);
  const page = await fetch(`${url}/demo`, { headers: { accept: 'text/html', authorization: `Bearer ${TOKEN}` } });
  expect(await page.text()).toContain('<div id="root">');
  const play = {
    method: 'POST',
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    body: '{}',
  };
  expect((await fetch(`${url}/api/demo/scenarios/two-threads/start`, play)).status).toBe(200);
  await waitFor('a held lock', async () => (await lockscope.locks({ held: true })).total > 0);
  expect(await docker(['exec', id, 'id', '-u'])).toBe('10001');
  await waitFor(
    'the health check',
    async () => (await docker(['inspect', '-f', '{{.State.Health.Status}}', id])) === 'healthy',
  );
  const began = performance.now();
  await docker(['stop', id]);
  expect(performance.now() - began).toBeLessThan(END_MS);
  expect(await docker(['inspect', '-f', '{{.State.ExitCode}}', id])).toBe('0');
});

test.skipIf(!hasDocker)(
  'without a token a container makes one, and names the address with it; it has --otlp',
  async () => {
    const { id, url } = await start(['demo', '--otlp', 'http://127.0.0.1:9']);
    const token = await waitFor('the address', async () => /\?token=([0-9a-f]{32})/.exec(await logOf(id))?.[1]);
    const health = await waitFor('an answer', () =>
      connect(url, { token, answerWithinMs: ANSWER_MS })
        .health()
        .catch(() => undefined),
    );
    expect(health.otlp).toBeDefined();
    expect(
      (await fetch(`${url}/?token=${token}`, { redirect: 'manual', headers: { accept: 'text/html' } })).status,
    ).toBe(303);
  },
);

test.skipIf(!hasDocker)('compose starts a Redis and a Lockscope that observes it', async () => {
  const project = ['compose', '--project-name', 'lockscope-test', '--file', join(ROOT, 'compose.yaml')];
  const compose = (...args: string[]) => composeOf(project, args);
  await compose('up', '--detach', '--build');
  try {
    const url = `http://${(await compose('port', 'lockscope', '4680')).split('\n')[0]}`;
    const lockscope = connect(url, { token: TOKEN });
    await waitFor('Redis to be observed', async (missing) => {
      const health = await lockscope.health().catch(() => undefined);
      return health?.sources[0]?.status === 'observing' || missing(JSON.stringify(health));
    });
  } finally {
    await compose('down', '--volumes', '--timeout', '3');
  }
});

/** `docker compose`, or `docker-compose` where the plugin is not installed. */
async function composeOf(project: readonly string[], args: readonly string[]): Promise<string> {
  const env = { ...process.env, LOCKSCOPE_TOKEN: TOKEN };
  const plugin = await run('docker', ['compose', 'version']).then(
    () => true,
    () => false,
  );
  const [program, ...words] = plugin ? ['docker', ...project] : ['docker-compose', ...project.slice(1)];
  return String((await run(program ?? '', [...words, ...args], { env, maxBuffer: 64e6 })).stdout).trim();
}
