import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LockscopeProcess, startLockscopeProcess } from '../support/lockscope/lockscope-process.ts';
import { type RunningRedis, startRedis } from '../support/servers/redis.ts';
import { HOSTILE } from './hostile-dumps.ts';

/** The longest time of one request while a dump is read; a machine may be busy with much else. */
const MOST_MS = 2000;
const REAL = new URL('../../shared/traces/dumps/redisson-4.7.0.jstack.txt', import.meta.url);

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

async function add(body: string): Promise<{ status: number; code: string | undefined }> {
  const headers = { 'Content-Type': 'application/octet-stream' };
  const answer = await fetch(`${lockscope.url}/api/thread-dumps`, { method: 'POST', body, headers });
  const { error } = (await answer.json()) as { error?: { code: string } }; // the answer is an error or a dump
  return { status: answer.status, code: error?.code };
}

/** The slowest answer of `/api/health` while a dump is read. */
async function slowestDuring(work: Promise<unknown>): Promise<number> {
  let isDone = false;
  let slowest = 0;
  const done = work.finally(() => {
    isDone = true;
  });
  while (!isDone) {
    const begin = performance.now();
    await lockscope.health();
    slowest = Math.max(slowest, performance.now() - begin);
  }
  await done;
  return slowest;
}

test.each(HOSTILE)('20 MB of %s do not block other requests', async (_, text, codes) => {
  const work = add(text());
  expect(await slowestDuring(work)).toBeLessThan(MOST_MS);
  const { status, code } = await work;
  if (codes.length === 0) expect(status).toBe(200);
  else expect(codes).toContain(code);
});

test('after these uploads, a real dump is read', async () => {
  expect(await add(readFileSync(REAL, 'utf8'))).toEqual({ status: 200, code: undefined });
});
