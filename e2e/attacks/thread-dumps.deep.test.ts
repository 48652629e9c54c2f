import { afterAll, beforeAll, expect, test } from 'vitest';
import { healthDuring } from '../support/lockscope/health-delay.ts';
import { type LockscopeProcess, startLockscopeProcess } from '../support/lockscope/lockscope-process.ts';
import { type RunningRedis, startRedis } from '../support/servers/redis.ts';
import { addDump, HOSTILE, realDump } from './hostile-dumps.ts';

/** The longest time of one request while a dump is read; a machine may be busy with much else. */
const MOST_MS = 2000;

let redis: RunningRedis;
let lockscope: LockscopeProcess;
beforeAll(async () => {
  redis = await startRedis();
  lockscope = await startLockscopeProcess(redis.url, []);
});
afterAll(async () => {
  await lockscope?.stop();
  await redis?.stop();
});

test.each(HOSTILE)('20 MB of %s do not block other requests', async (_, text, codes) => {
  const work = addDump(lockscope, text());
  expect((await healthDuring(lockscope, work)).longestMs).toBeLessThan(MOST_MS);
  const { status, code } = await work;
  if (codes.length === 0) expect(status).toBe(200);
  else expect(codes).toContain(code);
});

test('after the hostile dumps, a real dump is read', async () => {
  expect(await addDump(lockscope, realDump())).toEqual({ status: 200, code: undefined });
});
