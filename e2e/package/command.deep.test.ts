import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, expect, inject, test } from 'vitest';
import { connect } from '../../library/client.ts';
import { connectApp } from '../support/clients/app.ts';
import { startRedis } from '../support/servers/redis.ts';
import { waitFor } from '../support/wait-for.ts';
import { startProgram } from './program.ts';

const run = promisify(execFile);
const home = inject('home');
const tarball = inject('tarball');
const FIRST_LOCK_MS = 5000;
/** `createLockscope` ends within this time, as the command does. */
const END_MS = 3000;

const ends: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

test('the command of the package shows the first lock of a Redis within five seconds', async () => {
  const redis = await startRedis();
  ends.push(() => redis.stop());
  const app = await connectApp(redis.url);
  ends.push(() => app.close());
  await app.acquire('orders:42');
  const began = performance.now();
  const program = startProgram(home, ['node_modules/.bin/lockscope', redis.url, '--port', '0', '--no-open']);
  ends.push(() => program.end());
  const url = await program.prints(/^lockscope ready (\S+)$/m);
  expect(await (await fetch(url, { headers: { accept: 'text/html' } })).text()).toContain('<div id="root">');
  await waitFor('the lock', async () => (await connect(url).locks()).locks[0]?.name === 'orders:42');
  const tookMs = performance.now() - began;
  process.stdout.write(
    `first lock after ${Math.round(tookMs)} ms, installed in ${Math.round(inject('installMs'))} ms\n`,
  );
  expect(tookMs).toBeLessThan(FIRST_LOCK_MS);
  expect((await program.end()).code).toBe(0);
});

for (const example of ['express', 'express-4'])
  test(`${example}: an application with Lockscope in it ends within three seconds`, async () => {
    const redis = await startRedis();
    ends.push(() => redis.stop());
    const program = startProgram(home, [`examples/${example}/server.mjs`], { REDIS_URL: redis.url, PORT: '0' });
    await program.prints(/^ready (\S+)$/m);
    const { code, ms } = await program.end();
    expect(code).toBe(0);
    expect(ms).toBeLessThan(END_MS);
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
  const url = await program.prints(/^lockscope ready (\S+)$/m);
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
  await program.prints(/^lockscope ready (\S+)$/m);
});
