import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Lockscope, startLockscope } from '../support/lockscope/lockscope.ts';
import { type RunningRedis, startRedis } from '../support/servers/redis.ts';
import { addDump, HOSTILE, realDump } from './hostile-dumps.ts';

let redis: RunningRedis;
let lockscope: Lockscope;
beforeAll(async () => {
  redis = await startRedis();
  lockscope = await startLockscope(redis.url, []);
});
afterAll(async () => {
  await lockscope?.stop();
  await redis?.stop();
});

test.each(HOSTILE.filter(([, , codes]) => codes.length > 0))('20 MB of %s are refused', async (_, text, codes) => {
  expect(codes).toContain((await addDump(lockscope, text())).code);
});

test('after the hostile dumps, a real dump is read', async () => {
  expect(await addDump(lockscope, realDump())).toEqual({ status: 200, code: undefined });
});
