import { expect } from 'vitest';
import { eventsFromTrace } from '../../../testing/traces/trace-file.ts';
import { compared, isAttempt, isOf, reported, test, twoClients } from '../testing/trace-of-kind.ts';

/*
 * For each kind of lock, the demo's clients do what clients of Redisson 4.7.0 did in a recorded trace. They must send
 * the same groups of commands, and our interpreter must report the same kind of lock.
 */

test.concurrent('fair lock: threads queue, attempt once, give up or re-enter; waiters acquire in order', async ({
  bed,
  tap,
}) => {
  const [a, b] = await twoClients(bed, 3000);
  const options = { kind: 'fair-lock' } as const;
  const lock = 'orders:42';
  await a.ask(1, 'lock', lock, options);
  const first = b.ask(1, 'lock', lock, options);
  await b.reported('refused', isAttempt(2, 1));
  const second = b.ask(2, 'lock', lock, options);
  await b.reported('refused', isAttempt(2, 2));
  const impatient = a.ask(2, 'tryLock', lock, { ...options, waitMs: 2500 });
  await a.reported('refused', isAttempt(2, 2));
  expect(await a.ask(3, 'tryLock', lock, options)).toMatchObject({ result: 'false' });
  await a.ask(1, 'lock', lock, options);
  await a.ask(1, 'unlock', lock, options);
  expect(await impatient).toMatchObject({ result: 'false' });
  await a.reported('renewed');
  await a.ask(1, 'unlock', lock, options);
  await first;
  await b.reported('unsubscribed', isOf(1));
  await b.ask(1, 'unlock', lock, options);
  await second;
  await b.reported('unsubscribed', isOf(2));
  await b.ask(2, 'unlock', lock, options);
  expect(await b.ask(2, 'unlock', lock, options)).toMatchObject({ ok: true });

  const { onlyOurs, onlyTheirs, kinds, events } = await compared(tap, 'fair', 3000);
  expect({ onlyOurs, onlyTheirs, kinds }).toEqual({ onlyOurs: [], onlyTheirs: [], kinds: ['fair-lock'] });
  expect(reported(events, 'lock.acquired', 'waiter.queued', 'waiter.dequeued', 'lock.released')).toEqual([
    'lock.acquired',
    'waiter.queued',
    'waiter.queued',
    'waiter.queued',
    'waiter.dequeued',
    'lock.released',
    'lock.acquired',
    'lock.released',
    'lock.acquired',
    'lock.released',
  ]);
});

test.concurrent('fair lock: a dead head is evicted after its deadline; until then the next waiter polls', async ({
  bed,
  tap,
}) => {
  const [a, b] = await twoClients(bed);
  const c = await bed.client('app3');
  const options = { kind: 'fair-lock', queueMs: 300 } as const;
  await a.ask(1, 'lock', 'orders:42', { ...options, leaseMs: 4000 });
  b.ask(1, 'lock', 'orders:42', options);
  await b.reported('refused', isAttempt(2));
  const waiting = c.ask(1, 'lock', 'orders:42', options);
  await c.reported('refused', isAttempt(2));
  await b.process.kill();
  await a.ask(1, 'unlock', 'orders:42', options);
  await waiting;
  const events = eventsFromTrace(await tap.caughtUp(), true);
  expect(events.find((event) => event.type === 'waiter.dequeued')).toMatchObject({ reason: 'evicted' });
  const asked = events.filter((event) => event.type === 'lock.refused' && event.reason === 'not-head');
  expect(asked).not.toEqual([]);
  for (const each of asked) expect(each).toMatchObject({ ttlMs: 0, asleep: false });
});

test.concurrent('read-write lock: readers share, a writer waits, re-enters, also reads, and keeps reading', async ({
  bed,
  tap,
}) => {
  const [a, b] = await twoClients(bed, 2400);
  const lock = 'catalog';
  const read = { kind: 'read-lock' } as const;
  const write = { kind: 'write-lock' } as const;
  await a.ask(1, 'lock', lock, read);
  await b.ask(1, 'lock', lock, read);
  await a.ask(1, 'lock', lock, read);
  const writing = b.ask(2, 'lock', lock, write);
  await b.reported('refused', isAttempt(2, 2));
  const before = a.milestones.length;
  // a renewal of both levels of A's hold
  await a.reported('renewed', (milestone) => a.milestones.indexOf(milestone) >= before);
  await b.reported('renewed');
  await a.ask(1, 'unlock', lock, read);
  await a.ask(1, 'unlock', lock, read);
  await b.ask(1, 'unlock', lock, read);
  await writing;
  await b.reported('unsubscribed');
  const reading = a.ask(2, 'lock', lock, read);
  await a.reported('refused', isAttempt(2, 2));
  await b.ask(2, 'lock', lock, write);
  await b.ask(2, 'unlock', lock, write);
  await b.ask(2, 'lock', lock, read);
  await b.ask(2, 'unlock', lock, write);
  await a.ask(3, 'tryLock', lock, write);
  await b.ask(2, 'unlock', lock, read);
  await reading;
  await a.reported('unsubscribed');
  await a.ask(2, 'unlock', lock, read);
  expect(await b.ask(2, 'unlock', lock, write)).toMatchObject({ ok: false });

  const { onlyOurs, onlyTheirs, kinds, events } = await compared(tap, 'read-write', 2400);
  expect({ onlyOurs, onlyTheirs, kinds }).toEqual({ onlyOurs: [], onlyTheirs: [], kinds: ['read-write-lock'] });
  expect(events.filter((event) => event.type === 'lock.released' && event.isDowngrade)).toHaveLength(1);
});

test.concurrent('fenced lock: the holder re-enters and releases, and a waiter acquires', async ({ bed, tap }) => {
  const [a, b] = await twoClients(bed);
  const options = { kind: 'fenced-lock' } as const;
  await a.ask(1, 'lock', 'ledger', options);
  await a.ask(1, 'lock', 'ledger', options);
  const waiting = b.ask(1, 'lock', 'ledger', options);
  await b.reported('refused', isAttempt(2));
  await a.ask(1, 'unlock', 'ledger', options);
  await a.ask(1, 'unlock', 'ledger', options);
  await waiting;
  await b.reported('unsubscribed');
  await b.ask(1, 'unlock', 'ledger', options);

  const { onlyOurs, onlyTheirs, kinds } = await compared(tap, 'fenced', 30_000);
  expect({ onlyOurs, kinds }).toEqual({ onlyOurs: [], kinds: ['fenced-lock'] });
  expect(onlyTheirs).toEqual(['GET redisson_lock_token:{ledger}']); // a client has read the token
});

test.concurrent('spin lock: a waiter polls until the holder has released', async ({ bed, tap }) => {
  const [a, b] = await twoClients(bed);
  const options = { kind: 'spin-lock' } as const;
  await a.ask(1, 'lock', 'ticker', options);
  const waiting = b.ask(1, 'lock', 'ticker', options);
  await b.reported('refused', isAttempt(9));
  await a.ask(1, 'unlock', 'ticker', options);
  await waiting;
  await b.ask(1, 'unlock', 'ticker', options);

  const { onlyOurs, onlyTheirs, kinds, events } = await compared(tap, 'spin', 30_000);
  expect({ onlyOurs, onlyTheirs }).toEqual({ onlyOurs: [], onlyTheirs: [] });
  expect(kinds).toContain('spin-lock');
  expect(reported(events, 'lock.acquired', 'lock.released').length).toBe(4);
});
