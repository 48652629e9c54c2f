import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addManyLocks } from '../support/clients/many-locks.ts';
import type { Lockscope } from '../support/lockscope/lockscope.ts';
import { startLockscopeProcess } from '../support/lockscope/lockscope-process.ts';
import { acceptCost, untilWell } from '../support/lockscope/watched-redis.ts';
import { type RunningRedis, startRedis } from '../support/servers/redis.ts';
import { waitFor } from '../support/wait-for.ts';

/* Answers that take much work, while other clients wait for answers too. */

let redis: RunningRedis;
let lockscope: Lockscope;

beforeAll(async () => {
  redis = await startRedis();
  lockscope = await startLockscopeProcess(redis.url);
  await acceptCost(lockscope);
  // Each lock makes three events. The load never runs far ahead of Lockscope: if it did, MONITOR would end to protect
  // Redis.
  await addManyLocks(redis.port, 15_000, { onStep: (locks) => untilRemembered(3 * locks - 3_000) });
  await untilRemembered(40_000);
}, 240_000);
afterAll(async () => {
  await lockscope.stop();
  await redis.stop();
});

async function untilRemembered(events: number): Promise<void> {
  await waitFor(`${events} events`, async (missing) => {
    const { history, sources } = await lockscope.health();
    return history.nextSeq > events || missing(`${history.nextSeq}, ${JSON.stringify(sources)}`);
  });
}

test('health is answered between and during big responses', async () => {
  for (const path of ['/api/spans', '/api/events?holder=absent:1']) {
    // Five answers at once. If an answer were made without a pause, health would get only about one turn between two of
    // them.
    let isDone = false;
    const asked = Promise.all(Array.from({ length: 5 }, () => fetch(lockscope.url + path))).finally(() => {
      isDone = true;
    });
    const big = asked.then(async (answers) => {
      for (const answer of answers) await answer.arrayBuffer();
      return answers.map(({ status }) => status);
    });
    let answered = 0;
    while (!isDone) {
      await lockscope.health();
      if (!isDone) answered++;
    }
    expect(answered, path).toBeGreaterThanOrEqual(20);
    expect(new Set(await big), path).toEqual(new Set([200]));
  }
});

test('recordings are complete while locks change, even after a client left before its recording was sent', async () => {
  const { sources, history } = await lockscope.health();
  const now = (Date.now() + (sources[0]?.clockOffsetMs ?? 0)) * 1000;
  const leaving = new AbortController();
  const left = fetch(`${lockscope.url}/api/recording?from=${now - 5_000_000}`, { signal: leaving.signal });
  leaving.abort();
  await expect(left).rejects.toThrow();
  const cuts = Promise.all(
    ['', '?from=1', `?from=${now - 3_000_000}`].map(async (query) => {
      const answer = await fetch(`${lockscope.url}/api/recording${query}`);
      return gunzipSync(await answer.arrayBuffer()).toString();
    }),
  );
  await addManyLocks(redis.port, 100, { from: 1_000_000 });
  for (const text of await cuts) {
    const lines = text.trimEnd().split('\n');
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ signals: lines.length - 2 });
  }
  await untilRemembered(history.nextSeq + 298);
  expect((await lockscope.health()).sources[0]).toMatchObject({ status: 'observing', drift: 0, rejected: 0 });
});

test('of 100 simultaneous requests for all spans, some get a 503 with Retry-After, and the others get the spans', async () => {
  const answers = await Promise.all(
    Array.from({ length: 100 }, async () => {
      const answer = await fetch(`${lockscope.url}/api/spans`);
      await answer.arrayBuffer();
      return { status: answer.status, retryAfter: answer.headers.get('retry-after') };
    }),
  );
  const refused = answers.filter(({ status }) => status === 503);
  expect(refused.length).toBeGreaterThan(0);
  for (const { retryAfter } of refused) expect(Number(retryAfter)).toBeGreaterThan(0);
  expect(answers.filter(({ status }) => status === 200).length).toBe(100 - refused.length);
  await untilWell(lockscope);
});
