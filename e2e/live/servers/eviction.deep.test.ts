import { expect, onTestFinished, test } from 'vitest';
import { watchRedis } from '../../support/lockscope/watched-redis.ts';

test.each([
  ['reported by Redis', 'Ee', 'lock.evicted'],
  ['found by a snapshot', '', 'drift.healed'],
] as const)('an eviction is %s', async (_, flags, type) => {
  const { app, eventsUntil, lockscope, end } = await watchRedis({
    'notify-keyspace-events': flags,
    'maxmemory-policy': 'allkeys-lru',
  });
  onTestFinished(end);
  await app.acquire('evicted');
  await eventsUntil('evicted', 'lock.acquired');
  const used = Number(/used_memory:(\d+)/.exec(String(await app.command('INFO', 'memory')))?.[1]);
  await app.command('CONFIG', 'SET', 'maxmemory', String(used + 1024 * 1024));
  for (let n = 0; (await app.command('EXISTS', 'evicted')) === 1; n++) {
    // EXISTS does not count as use for LRU, so the newer keys evict the lock after a while.
    await app.command('SET', `filler:${n}`, 'x'.repeat(10_000));
  }
  const events = await eventsUntil('evicted', type);
  expect(events.map((event) => event.type)).toEqual(['lock.acquired', type]);
  expect(await lockscope.lock('evicted')).toMatchObject({ held: false });
});
