import { expect } from 'vitest';
import { compared, isAttempt, reported, test, twoClients } from '../testing/trace-of-kind.ts';

/*
 * For semaphores and latches, the demo's clients do what clients of Redisson 4.7.0 did in a recorded trace. They must
 * send no group of commands that is not in the trace, and our interpreter must report the kind of lock.
 */

test.concurrent('semaphore: threads acquire, wait for and release permits', async ({ bed, tap }) => {
  const [a, b] = await twoClients(bed);
  const options = { kind: 'semaphore', permits: 2 } as const;
  await a.ask(1, 'trySetPermits', 'gate', { kind: 'semaphore', permits: 3 });
  await a.ask(1, 'acquire', 'gate', options);
  expect(await b.ask(1, 'tryAcquire', 'gate', options)).toMatchObject({ result: 'false' });
  const waiting = b.ask(2, 'acquire', 'gate', options);
  await b.reported('refused', isAttempt(2, 2));
  await a.ask(1, 'release', 'gate', options);
  await waiting;
  await b.reported('unsubscribed');
  await b.ask(2, 'release', 'gate', options);

  const { onlyOurs, onlyTheirs, kinds, events } = await compared(tap, 'semaphore', 0);
  expect({ onlyOurs, kinds }).toEqual({ onlyOurs: [], kinds: ['semaphore'] });
  expect(onlyTheirs).toEqual(['EVAL 1 gate → get gate → set gate 0']); // the demo has no drainPermits
  expect(events.findLast((event) => event.type === 'permits.acquired')).toMatchObject({
    holder: 'app2',
    wokenBy: 'message',
    available: 1,
    total: 3,
  });
});

test.concurrent('expirable semaphore: a waiter reclaims an expired permit', async ({ bed, tap }) => {
  const [a, b] = await twoClients(bed);
  const options = { kind: 'expirable-semaphore' } as const;
  await a.ask(1, 'trySetPermits', 'slots', { ...options, permits: 2 });
  await a.ask(1, 'acquire', 'slots', { ...options, leaseMs: 3000 });
  await a.ask(2, 'acquire', 'slots', options);
  expect(await b.ask(1, 'tryAcquire', 'slots', options)).toMatchObject({ result: 'false' });
  await b.ask(2, 'acquire', 'slots', { ...options, leaseMs: 60_000 });
  await b.reported('unsubscribed');
  expect(await a.ask(1, 'release', 'slots', options)).toMatchObject({ ok: false });
  await a.ask(2, 'release', 'slots', options);
  await b.ask(2, 'release', 'slots', options);

  const { onlyOurs, onlyTheirs, kinds, events } = await compared(tap, 'expirable-semaphore', 0);
  const asked = 'EVAL 3 slots {slots}:timeout redisson_sc:{slots} TIME PUBLISH';
  expect({ onlyOurs, kinds }).toEqual({ onlyOurs: [], kinds: ['semaphore', 'expirable-semaphore'] });
  expect(onlyTheirs).toEqual([`${asked} → zrangebyscore {slots}:timeout 0 TIME limit 0 -1 → get slots`]);
  expect(reported(events, 'permits.expired', 'unlock.refused')).toEqual(['permits.expired', 'unlock.refused']);
});

test.concurrent('latch: at zero, both waiters continue', async ({ bed, tap }) => {
  const [a, b] = await twoClients(bed);
  const options = { kind: 'latch' } as const;
  await a.ask(1, 'trySetCount', 'boot', { ...options, permits: 2 });
  const waiting = [b.ask(1, 'await', 'boot', options), a.ask(2, 'await', 'boot', { ...options, waitMs: 30_000 })];
  await b.reported('refused', isAttempt(2));
  await a.reported('refused', isAttempt(2));
  await a.ask(1, 'countDown', 'boot', options);
  await b.ask(2, 'countDown', 'boot', options);
  expect(await Promise.all(waiting)).toEqual([
    { ok: true, result: 'true' },
    { ok: true, result: 'true' },
  ]);
  await a.ask(1, 'countDown', 'boot', options);
  await b.reported('unsubscribed');

  const { onlyOurs, onlyTheirs, kinds, events } = await compared(tap, 'latch', 0);
  expect({ onlyOurs, onlyTheirs, kinds }).toEqual({ onlyOurs: [], onlyTheirs: [], kinds: ['latch'] });
  expect(reported(events, 'latch.set', 'latch.counted-down', 'latch.opened')).toEqual([
    'latch.set',
    'latch.counted-down',
    'latch.counted-down',
    'latch.opened',
    'latch.counted-down',
  ]);
});
