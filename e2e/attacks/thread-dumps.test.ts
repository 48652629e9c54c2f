import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Lockscope, startLockscope } from '../support/lockscope/lockscope.ts';
import { type RunningRedis, startRedis } from '../support/servers/redis.ts';
import { HOSTILE } from './hostile-dumps.ts';

const REAL = new URL('../../shared/traces/dumps/redisson-4.7.0.jstack.txt', import.meta.url);

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

async function add(body: string): Promise<{ status: number; code: string | undefined }> {
  const headers = { 'Content-Type': 'application/octet-stream' };
  const answer = await fetch(`${lockscope.url}/api/thread-dumps`, { method: 'POST', body, headers });
  const { error } = (await answer.json()) as { error?: { code: string } }; // the answer is an error or a dump
  return { status: answer.status, code: error?.code };
}

test.each(HOSTILE.filter(([, , codes]) => codes.length > 0))('20 MB of %s are refused', async (_, text, codes) => {
  expect(codes).toContain((await add(text())).code);
});

test('after these uploads, a real dump is read', async () => {
  expect(await add(readFileSync(REAL, 'utf8'))).toEqual({ status: 200, code: undefined });
});
