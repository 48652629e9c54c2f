import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { bodyOf, CheckBed } from '../../support/check-bed.ts';
import { type App, connectApp } from '../../support/clients/app.ts';
import { type Lockscope, startLockscope } from '../../support/lockscope/lockscope.ts';
import { LockscopeCommand } from '../../support/lockscope/lockscope-command.ts';
import { startLockscopeProcess } from '../../support/lockscope/lockscope-process.ts';
import { reportOf } from '../../support/run-bed.ts';

const TOKEN = '3f1c9a52-7f0e-4b58-9d41-0c5a1e6b2d77';
const bed = new CheckBed();
let state: string;
let app: App;
let running: Lockscope | undefined;

beforeAll(async () => {
  app = await connectApp(bed.redis.url);
});
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), 'lockscope-state-'));
  vi.stubEnv('XDG_STATE_HOME', state); // the processes that the tests start inherit this
});
afterEach(async () => {
  await running?.stop();
  running = undefined;
  vi.unstubAllEnvs();
  rmSync(state, { recursive: true });
});
afterAll(() => app?.close());

async function decide(lockscope: Lockscope, isLock: boolean | null): Promise<void> {
  const { status } = await lockscope.post('/api/sources/redis/own-locks', { name: 'lock:order:1001', isLock });
  expect(status).toBe(200);
}

const decidedBy = async (lockscope: Lockscope) => (await lockscope.health()).sources[0]?.ownLocks?.decided;

/** How many locks `check` counts as held, and which locks `run` reports as left behind. */
async function reported(): Promise<{ held: number; left: string[] }> {
  await app.command('SET', 'lock:order:7', TOKEN, 'NX', 'PX', '300000');
  const { url } = bed.redis;
  const check = bed.check(url, '--json');
  const take = `require('net').connect(${new URL(url).port}, '127.0.0.1').end('SET lock:order:8 ${TOKEN} NX PX 300000\\r\\n').resume()`;
  const run = new LockscopeCommand(['run', url, '--observe', 'monitor', '--json', '--', process.execPath, '-e', take]);
  await Promise.all([check.ended(), run.ended()]);
  await app.command('DEL', 'lock:order:7', 'lock:order:8');
  return { held: bodyOf(check).busyLocks, left: reportOf(run).faults.map(({ lock = '' }) => lock) };
}

test('a decision about own locks is used by check, run and the page of the same user, until it is withdrawn', async () => {
  expect(await reported()).toEqual({ held: 1, left: ['lock:order:8'] });
  running = await startLockscope(bed.redis.url);
  await decide(running, false);
  await running.stop();
  expect(await reported()).toEqual({ held: 0, left: [] });
  running = await startLockscopeProcess(bed.redis.url);
  expect(await decidedBy(running)).toEqual([{ form: 'lock:order:#', isLock: false }]);
  await decide(running, null);
  await running.stop();
  running = await startLockscope(bed.redis.url);
  expect(await decidedBy(running)).toBeUndefined();
});

test('a decision about own locks in a demo is used by the next demo, though its Redis has another port', async () => {
  const first = await startLockscopeProcess('demo', []);
  running = first;
  const [source] = (await first.health()).sources;
  const decision = { name: 'lock:order:1', isLock: false };
  expect((await first.post(`/api/sources/${source?.id}/own-locks`, decision)).status).toBe(200);
  await first.stop();
  running = await startLockscopeProcess('demo', []);
  const [again] = (await running.health()).sources;
  expect(again?.url).not.toBe(source?.url);
  expect(again?.ownLocks?.decided).toEqual([{ form: 'lock:order:#', isLock: false }]);
});
