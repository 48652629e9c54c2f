import { expect, onTestFinished, test } from 'vitest';
import { addManyLocks } from '../support/clients/many-locks.ts';
import { healthDuring } from '../support/lockscope/health-delay.ts';
import { startLockscopeProcess } from '../support/lockscope/lockscope-process.ts';
import { startRedis } from '../support/servers/redis.ts';

/*
 * Requests every large answer of a full memory, while health is requested without a pause. Prints the time of each
 * answer and the longest health request meanwhile: the delay of the server's event loop. LOCKS locks, 100,000 by
 * default.
 */

const LOCKS = Number(process.env.LOCKS ?? 100_000);
/** Far more than the 5 ms of a slice, for a busy machine; the answers take seconds. */
const MOST_HEALTH_MS = 1000;

test('no large response delays a health request by a second', async () => {
  const redis = await startRedis();
  onTestFinished(() => redis.stop());
  const lockscope = await startLockscopeProcess(redis.url);
  onTestFinished(() => lockscope.stop());
  await addManyLocks(redis.port, LOCKS, { pauseMs: 10 });
  const { history, sources, memory } = await lockscope.health();
  console.log(`${history.events} events, ${sources[0]?.level}, lag ${sources[0]?.lagMs} ms`);
  const now = (Date.now() + (sources[0]?.clockOffsetMs ?? 0)) * 1000;
  const middle = Math.round((now + (memory?.oldestAt ?? now)) / 2);
  const paths = [
    '/api/spans',
    '/api/locks?limit=1000',
    '/api/events?limit=5000',
    '/api/events?holder=absent:1',
    '/api/recording',
    `/api/recording?from=${middle}`,
  ];
  for (const path of paths) {
    const began = performance.now();
    let status = 0;
    let bytes = 0;
    const answered = fetch(lockscope.url + path).then(async (answer) => {
      status = answer.status;
      bytes = (await answer.arrayBuffer()).byteLength;
    });
    const { answers, longestMs } = await healthDuring(lockscope, answered);
    const took = Math.round(performance.now() - began);
    const lag = (await lockscope.health()).sources[0]?.lagMs;
    console.log(
      `${path}: ${status}, ${bytes} bytes, ${took} ms; health ${answers} times, longest ${longestMs} ms; lag ${lag} ms`,
    );
    expect(status, path).toBe(200);
    expect(longestMs, path).toBeLessThan(MOST_HEALTH_MS);
  }
});
