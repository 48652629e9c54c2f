import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Lockscope, startLockscope } from '../support/clients/lockscope.ts';
import { type RunningRedis, startRedis } from '../support/servers/redis.ts';

const MB = 1024 * 1024;
/** Of one request while a dump is read; a machine may be busy with much else. */
const MOST_MS = 2000;
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
  const { error } = (await answer.json()) as { error?: { code: string } }; // an error body, or a dump
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

const filled = (head: string, part: string, end = '') =>
  head + part.repeat(Math.floor((19.9 * MB - head.length - end.length) / part.length)) + end;

/** A dump of 20 MB whose parts all differ. */
function withParts(part: (n: number) => string): string {
  const parts = ['Full thread dump x\n'];
  for (let n = 0, length = 0; length < 19 * MB; n++) {
    const next = part(n);
    parts.push(next);
    length += next.length;
  }
  return parts.join('');
}

const HOSTILE: readonly (readonly [string, string, readonly string[]])[] = [
  [
    'small objects',
    filled('{"threads":[{"threadName":"x"}', ',{}', ']}'),
    ['not-a-thread-dump', 'thread-dump-too-much'],
  ],
  ['deep lists', filled('{"threads":', '['), ['not-a-thread-dump', 'thread-dump-too-much']],
  ['heads of dumps', filled('', 'Full thread dump x\n'), ['not-a-thread-dump']],
  ['half heads of threads', filled('Full thread dump x\n', '"" #'), ['not-a-thread-dump', 'thread-dump-too-much']],
  [
    'frames in a log',
    filled('x Full thread dump x\n', 'at a at b at ( '),
    ['not-a-thread-dump', 'thread-dump-too-much'],
  ],
  ['different frames', withParts((n) => `${n % 200 === 0 ? `"" #${n + 1} tid=0x1\n` : ''}at f${n}\n`), []],
  ['different locks', withParts((n) => `${n % 200 === 0 ? `"" #${n + 1} tid=0x1\n` : ''}- locked <0x${n}>\n`), []],
  ['threads', filled('Full thread dump x\n', '"t" #9 tid=0x1\n'), []],
];

test.each(HOSTILE)('20 MB of %s stop nothing else', async (_, text, codes) => {
  const work = add(text);
  expect(await slowestDuring(work)).toBeLessThan(MOST_MS);
  const { status, code } = await work;
  if (codes.length === 0) expect(status).toBe(200);
  else expect(codes).toContain(code);
});

test('afterwards a real dump is read', async () => {
  expect(await add(readFileSync(REAL, 'utf8'))).toEqual({ status: 200, code: undefined });
});
