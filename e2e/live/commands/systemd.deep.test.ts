import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { connectApp } from '../../support/clients/app.ts';
import { hasProgram } from '../../support/servers/prometheus.ts';
import { startRedis } from '../../support/servers/redis.ts';
import { end } from '../../support/servers/server-process.ts';
import { waitFor } from '../../support/wait-for.ts';

const UNIT = 'deploy/systemd/lockscope.service';
const MAIN = fileURLToPath(new URL('../../../dist/server/main.js', import.meta.url));
const MISSING = hasProgram('systemd-analyze') ? '' : ' (skipped: no systemd-analyze)';

const ends: (() => Promise<unknown> | unknown)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** The value of a setting of the unit. */
function setting(name: string): string {
  return new RegExp(`^${name}=(.*)$`, 'm').exec(readFileSync(UNIT, 'utf8'))?.[1] ?? '';
}

/** A folder with the command `lockscope`, as `npm install --global` makes it. */
function openFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'lockscope-systemd-'));
  ends.push(() => rmSync(folder, { recursive: true }));
  chmodSync(MAIN, 0o755); // as npm does
  symlinkSync(MAIN, join(folder, 'lockscope'));
  return folder;
}

test.skipIf(MISSING)(`systemd accepts the unit${MISSING}`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'lockscope-systemd-'));
  ends.push(() => rmSync(folder, { recursive: true }));
  const verify = (text: string): string => {
    writeFileSync(join(folder, 'lockscope.service'), text);
    // systemd-analyze writes problems to stderr.
    const command = 'systemd-analyze verify "$0" 2>&1 || true';
    return execFileSync('sh', ['-c', command, join(folder, 'lockscope.service')], { encoding: 'utf8' });
  };
  const unit = readFileSync(UNIT, 'utf8');
  expect(verify(unit.replace('ProtectHome=yes', 'ProtectHomes=yes'))).toContain('ProtectHomes');
  expect(verify(unit)).toBe('');
});

test('the command of the unit observes the Redis of its file, and ends within the time limit of the unit', async () => {
  const redis = await startRedis();
  ends.push(() => redis.stop());
  const app = await connectApp(redis.url);
  ends.push(() => app.close());
  await app.acquire('orders:42');
  const [program = '', ...words] = setting('ExecStart').split(' ');
  // systemd gives a service little more than a path and its EnvironmentFile.
  const path = `${openFolder()}:${join(process.execPath, '..')}:/usr/bin:/bin`;
  const service = spawn(program, [...words, '--port', '0'], { cwd: '/', env: { PATH: path, REDIS_URL: redis.url } });
  ends.push(() => end(service, 'SIGKILL'));
  let output = '';
  for (const stream of [service.stdout, service.stderr])
    stream.on('data', (part: Buffer) => (output += part.toString()));
  const url = await waitFor('the ready line', () => /^\{"event":"ready","url":"([^"]+)"\}$/m.exec(output)?.[1]);
  await waitFor('the lock', async () => {
    const answer = await (await fetch(`${url}/api/locks?held=true`)).json();
    return (answer as { locks: { name: string }[] }).locks[0]?.name === 'orders:42'; // other tests check the form of this answer
  });
  const began = performance.now();
  await end(service);
  expect(service.exitCode).toBe(0);
  expect(performance.now() - began).toBeLessThan(Number(setting('TimeoutStopSec')) * 1000);
});
