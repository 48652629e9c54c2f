import { execFile } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, expect, inject, test } from 'vitest';
import { connect } from '../../library/client.ts';
import { connectApp } from '../support/clients/app.ts';
import { cpuSlowdown } from '../support/cpu-slowdown.ts';
import { startRedis } from '../support/servers/redis.ts';
import { waitFor } from '../support/wait-for.ts';
import { startProgram } from './program.ts';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const home = inject('home');
const tarball = inject('tarball');
const installed = join(home, 'node_modules/lockscope');
const MOST_MB = 5;
const FIRST_LOCK_MS = 5000;

const ends: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

function bytesIn(folder: string): number {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

test('the package is small, runs no script at its installation, and brings the licenses of what it bundles', async () => {
  const mb = bytesIn(installed) / 1e6;
  process.stdout.write(`installed: ${mb.toFixed(2)} MB beside its dependencies\n`);
  expect(mb).toBeLessThan(MOST_MB);
  const text = readFileSync(join(installed, 'package.json'), 'utf8');
  const { scripts, dependencies } = JSON.parse(text) as Record<'scripts' | 'dependencies', object>; // npm packed it
  for (const hook of ['preinstall', 'install', 'postinstall', 'prepare']) expect(scripts).not.toHaveProperty(hook);
  expect(Object.keys(dependencies)).not.toContain('vite');
  expect(existsSync(join(installed, 'dist/web/licenses.md'))).toBe(true);
  expect(existsSync(join(installed, 'LICENSE'))).toBe(true);
});

test('the command of the package shows the first lock of a Redis', async () => {
  const redis = await startRedis();
  ends.push(() => redis.stop());
  const app = await connectApp(redis.url);
  ends.push(() => app.close());
  await app.acquire('orders:42');
  const paceBefore = await cpuSlowdown();
  const began = performance.now();
  const program = startProgram(home, ['node_modules/.bin/lockscope', redis.url, '--port', '0', '--no-open']);
  ends.push(() => program.end());
  const url = await program.says(/^lockscope ready (\S+)$/m);
  expect(await (await fetch(url, { headers: { accept: 'text/html' } })).text()).toContain('<div id="root">');
  await waitFor('the lock', async () => (await connect(url).locks()).locks[0]?.name === 'orders:42');
  const tookMs = performance.now() - began;
  process.stdout.write(
    `first lock after ${Math.round(tookMs)} ms, installed in ${Math.round(inject('installMs'))} ms\n`,
  );
  expect(tookMs).toBeLessThan(FIRST_LOCK_MS * Math.max(paceBefore, await cpuSlowdown()));
  expect((await program.end()).code).toBe(0);
});

test('npx runs the package in an empty folder, and Lockscope ends with npx', async () => {
  const redis = await startRedis();
  ends.push(() => redis.stop());
  const app = await connectApp(redis.url);
  ends.push(() => app.close());
  await app.acquire('orders:42');
  const folder = mkdtempSync(join(tmpdir(), 'lockscope-npx-'));
  ends.push(async () => rmSync(folder, { recursive: true, force: true }));
  const file = basename(tarball);
  copyFileSync(tarball, join(folder, file));
  const env = { npm_config_cache: join(folder, 'cache') };
  const words = ['--yes', `./${file}`, redis.url, '--port', '0', '--no-open'];
  const program = startProgram(folder, words, env, 'npx');
  ends.push(() => program.end());
  const url = await program.says(/^lockscope ready (\S+)$/m);
  await waitFor('the lock', async () => (await connect(url).locks()).locks[0]?.name === 'orders:42');
  await program.end();
  const isGone = () =>
    fetch(url).then(
      () => false,
      () => true,
    );
  await waitFor('its end', isGone);
});

test('the SDK of OpenTelemetry is not installed with the package; --otlp names the line that installs it', async () => {
  expect(existsSync(join(home, 'node_modules/@opentelemetry/exporter-trace-otlp-proto'))).toBe(false);
  const folder = mkdtempSync(join(tmpdir(), 'lockscope-otlp-'));
  ends.push(async () => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  const npm = (...args: string[]) =>
    run('npm', [...args, '--prefer-offline', '--no-audit', '--no-fund'], { cwd: folder });
  await npm('install', tarball);
  const command = ['node_modules/.bin/lockscope', 'redis://127.0.0.1:1', '--port', '0', '--no-open', '--otlp'];
  const address = 'http://127.0.0.1:1/T0KEN';
  const refusal = await run(process.execPath, [...command, address], { cwd: folder }).catch((error) => error);
  expect(refusal).toMatchObject({ code: 2, stderr: expect.not.stringContaining('T0KEN') });
  const [line = ''] = /npm install .*/.exec(refusal.stderr) ?? [];
  await npm(...line.split(' ').slice(1));
  const program = startProgram(folder, [...command, address]);
  ends.push(() => program.end());
  await program.says(/^lockscope ready (\S+)$/m);
});

test('types and entry points are right for every way of importing', async () => {
  const bin = (name: string) => join(ROOT, 'node_modules/.bin', name);
  const publint = await run(bin('publint'), ['run', tarball, '--strict'], { cwd: home });
  expect(publint.stdout).toContain('All good!');
  // Old resolution without "exports", and require(), cannot work with a package of ES modules.
  await run(bin('attw'), [tarball, '--profile', 'esm-only', '--format', 'ascii'], { cwd: home });
});

test('the reports of the public surface are up to date', () => {
  expect(inject('apiReports')).toBe('up to date');
});
