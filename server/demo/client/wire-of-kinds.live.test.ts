import { readFileSync } from 'node:fs';
import { test as base, expect } from 'vitest';
import type { LockEvent } from '../../../shared/events/event.ts';
import { eventsFromTrace } from '../../../shared/testing/trace-file.ts';
import { Cast, type TestClient } from '../testing/cast.ts';
import { plainGroupsOf } from '../testing/plain-groups.ts';
import { type TraceTap, tapTrace } from '../testing/trace-tap.ts';

/*
 * For each kind of lock, the demo's clients do what clients of Redisson 4.7.0 did in a recorded trace. They must send the
 * very same groups of commands, and our interpreter must tell them as that kind.
 */

/** Each test has a Redis of its own, and eyes on it, so they run side by side. */
const test = base.extend<{ cast: Cast; tap: TraceTap }>({
  // biome-ignore lint/correctness/noEmptyPattern: what is asked for is read in the pattern
  cast: async ({}, use) => {
    const cast = await Cast.start();
    await use(cast);
    await cast.end();
  },
  tap: async ({ cast }, use) => {
    const tap = await tapTrace(cast.redis.url);
    await use(tap);
    tap.close();
  },
});

const isAttempt = (attempt: number, thread?: number) => (one: object) =>
  'attempt' in one && one.attempt === attempt && (thread === undefined || ('thread' in one && one.thread === thread));
const isOf = (thread: number) => (one: object) => 'thread' in one && one.thread === thread;

/** A watchdog's script for one hold: whether it ran is a matter of time. */
const RENEWAL = /^EVAL 1 \S+ \d+ H1[^→]* → hexists [^→]+( → pexpire \S+ LEASE)?$/;

/** What only one of the two sent, once everything asked for has been seen. */
async function compared(tap: TraceTap, name: string, leaseMs: number, last: RegExp) {
  const trace = await tap.until((text) => plainGroupsOf(text, leaseMs).some((group) => last.test(group)));
  const real = readFileSync(new URL(`../../../shared/traces/redisson-4.7.0/${name}.trace`, import.meta.url), 'latin1');
  // how long somebody waits before it gives up is its own affair
  const groupsOf = (text: string) =>
    plainGroupsOf(text, leaseMs).map((group) => group.replace(/\b(600|2500)\b/g, 'WAIT'));
  const theirs = new Set(groupsOf(real));
  const ours = new Set(groupsOf(trace).filter((group) => theirs.has(group) || !RENEWAL.test(group)));
  const events = eventsFromTrace(trace, true);
  return {
    onlyOurs: [...ours].filter((group) => !theirs.has(group)),
    onlyTheirs: [...theirs].filter((group) => !ours.has(group)),
    kinds: [...new Set(events.map(({ kind }) => kind))],
    events,
  };
}

const told = (events: readonly LockEvent[], ...types: LockEvent['type'][]) =>
  events.filter(({ type }) => types.includes(type)).map(({ type }) => type);

async function twoClients(cast: Cast, watchdogMs = 30_000): Promise<[TestClient, TestClient]> {
  return [await cast.client('app1', watchdogMs), await cast.client('app2', watchdogMs)];
}

test.concurrent('fair lock: queueing, a try, giving up, re-entry, in the order they came', async ({ cast, tap }) => {
  const [a, b] = await twoClients(cast, 3000);
  const of = { kind: 'fair-lock' } as const;
  const lock = 'orders:42';
  await a.ask(1, 'lock', lock, of);
  const first = b.ask(1, 'lock', lock, of);
  await b.told('refused', isAttempt(2, 1));
  const second = b.ask(2, 'lock', lock, of);
  await b.told('refused', isAttempt(2, 2));
  const impatient = a.ask(2, 'tryLock', lock, { ...of, waitMs: 2500 });
  await a.told('refused', isAttempt(2, 2));
  expect(await a.ask(3, 'tryLock', lock, of)).toMatchObject({ result: 'false' });
  await a.ask(1, 'lock', lock, of);
  await a.ask(1, 'unlock', lock, of);
  expect(await impatient).toMatchObject({ result: 'false' });
  await a.told('renewed');
  await a.ask(1, 'unlock', lock, of);
  await first;
  await b.told('unsubscribed', isOf(1));
  await b.ask(1, 'unlock', lock, of);
  await second;
  await b.told('unsubscribed', isOf(2));
  await b.ask(2, 'unlock', lock, of);
  expect(await b.ask(2, 'unlock', lock, of)).toMatchObject({ ok: true });

  const { onlyOurs, onlyTheirs, kinds, events } = await compared(
    tap,
    'fair',
    3000,
    /exists orders:42 → lindex \S+ 0 → set/,
  );
  expect({ onlyOurs, onlyTheirs, kinds }).toEqual({ onlyOurs: [], onlyTheirs: [], kinds: ['fair-lock'] });
  expect(told(events, 'lock.acquired', 'waiter.queued', 'waiter.dequeued', 'lock.released')).toEqual([
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

test.concurrent('fair lock: a head that is dead is struck out when its time is over, and the next asks without sleep until then', async ({
  cast,
  tap,
}) => {
  const [a, b] = await twoClients(cast);
  const c = await cast.client('app3');
  const of = { kind: 'fair-lock', queueMs: 300 } as const;
  await a.ask(1, 'lock', 'orders:42', { ...of, leaseMs: 4000 });
  b.ask(1, 'lock', 'orders:42', of);
  await b.told('refused', isAttempt(2));
  const waiting = c.ask(1, 'lock', 'orders:42', of);
  await c.told('refused', isAttempt(2));
  await b.process.kill();
  await a.ask(1, 'unlock', 'orders:42', of);
  await waiting;
  const isEvicted = (text: string) => plainGroupsOf(text, 0).some((group) => /zrem \S+ H\d → lpop/.test(group));
  const events = eventsFromTrace(await tap.until(isEvicted), true);
  expect(events.find((event) => event.type === 'waiter.dequeued')).toMatchObject({ reason: 'evicted' });
  expect(events.filter((event) => event.type === 'lock.refused' && event.reason === 'not-head').length).toBeGreaterThan(
    20,
  );
});

test.concurrent('read-write lock: readers share, a writer waits, re-enters, reads as well and goes on reading', async ({
  cast,
  tap,
}) => {
  const [a, b] = await twoClients(cast, 2400);
  const lock = 'catalog';
  const read = { kind: 'read-lock' } as const;
  const write = { kind: 'write-lock' } as const;
  await a.ask(1, 'lock', lock, read);
  await b.ask(1, 'lock', lock, read);
  await a.ask(1, 'lock', lock, read);
  const writing = b.ask(2, 'lock', lock, write);
  await b.told('refused', isAttempt(2, 2));
  const before = a.milestones.length;
  await a.told('renewed', (one) => a.milestones.indexOf(one) >= before); // of both its counts
  await b.told('renewed');
  await a.ask(1, 'unlock', lock, read);
  await a.ask(1, 'unlock', lock, read);
  await b.ask(1, 'unlock', lock, read);
  await writing;
  await b.told('unsubscribed');
  const reading = a.ask(2, 'lock', lock, read);
  await a.told('refused', isAttempt(2, 2));
  await b.ask(2, 'lock', lock, write);
  await b.ask(2, 'unlock', lock, write);
  await b.ask(2, 'lock', lock, read);
  await b.ask(2, 'unlock', lock, write);
  await a.ask(3, 'tryLock', lock, write);
  await b.ask(2, 'unlock', lock, read);
  await reading;
  await a.told('unsubscribed');
  await a.ask(2, 'unlock', lock, read);
  expect(await b.ask(2, 'unlock', lock, write)).toMatchObject({ ok: false });

  const last = /hget catalog mode → PUBLISH \S+ 1 → set/;
  const { onlyOurs, onlyTheirs, kinds, events } = await compared(tap, 'read-write', 2400, last);
  expect({ onlyOurs, onlyTheirs, kinds }).toEqual({ onlyOurs: [], onlyTheirs: [], kinds: ['read-write-lock'] });
  expect(events.filter((event) => event.type === 'lock.released' && event.isDowngrade)).toHaveLength(1);
});

test.concurrent('fenced lock: the number rises with each acquisition', async ({ cast, tap }) => {
  const [a, b] = await twoClients(cast);
  const of = { kind: 'fenced-lock' } as const;
  await a.ask(1, 'lock', 'ledger', of);
  await a.ask(1, 'lock', 'ledger', of);
  const waiting = b.ask(1, 'lock', 'ledger', of);
  await b.told('refused', isAttempt(2));
  await a.ask(1, 'unlock', 'ledger', of);
  await a.ask(1, 'unlock', 'ledger', of);
  await waiting;
  await b.told('unsubscribed');
  await b.ask(1, 'unlock', 'ledger', of);

  const { onlyOurs, onlyTheirs, kinds } = await compared(tap, 'fenced', 30_000, /UNSUBSCRIBE/);
  expect({ onlyOurs, kinds }).toEqual({ onlyOurs: [], kinds: ['fenced-lock'] });
  expect(onlyTheirs).toEqual(['GET redisson_lock_token:{ledger}']); // somebody asked for it
});

test.concurrent('spin lock: no channel; who waits asks again and again', async ({ cast, tap }) => {
  const [a, b] = await twoClients(cast);
  const of = { kind: 'spin-lock' } as const;
  await a.ask(1, 'lock', 'ticker', of);
  const waiting = b.ask(1, 'lock', 'ticker', of);
  await b.told('refused', isAttempt(9));
  await a.ask(1, 'unlock', 'ticker', of);
  await waiting;
  await b.ask(1, 'unlock', 'ticker', of);

  const { onlyOurs, onlyTheirs, kinds, events } = await compared(tap, 'spin', 30_000, /hincrby ticker H1 -1/);
  expect({ onlyOurs, onlyTheirs }).toEqual({ onlyOurs: [], onlyTheirs: [] });
  expect(kinds).toContain('spin-lock');
  expect(told(events, 'lock.acquired', 'lock.released').length).toBe(4);
});

test.concurrent('semaphore: permits are taken, waited for and given back', async ({ cast, tap }) => {
  const [a, b] = await twoClients(cast);
  const of = { kind: 'semaphore', permits: 2 } as const;
  await a.ask(1, 'trySetPermits', 'gate', { kind: 'semaphore', permits: 3 });
  await a.ask(1, 'acquire', 'gate', of);
  expect(await b.ask(1, 'tryAcquire', 'gate', of)).toMatchObject({ result: 'false' });
  const waiting = b.ask(2, 'acquire', 'gate', of);
  await b.told('refused', isAttempt(2, 2));
  await a.ask(1, 'release', 'gate', of);
  await waiting;
  await b.told('unsubscribed');
  await b.ask(2, 'release', 'gate', of);

  const { onlyOurs, onlyTheirs, kinds, events } = await compared(tap, 'semaphore', 0, /UNSUBSCRIBE/);
  expect({ onlyOurs, kinds }).toEqual({ onlyOurs: [], kinds: ['semaphore'] });
  expect(onlyTheirs).toEqual(['EVAL 1 gate → get gate → set gate 0']); // the demo drains none
  expect(events.findLast((event) => event.type === 'permits.acquired')).toMatchObject({
    holder: 'app2',
    wokenBy: 'message',
    available: 1,
    total: 3,
  });
});

test.concurrent('expirable semaphore: a permit whose time is over is taken back by who waits for it', async ({
  cast,
  tap,
}) => {
  const [a, b] = await twoClients(cast);
  const of = { kind: 'expirable-semaphore' } as const;
  await a.ask(1, 'trySetPermits', 'slots', { ...of, permits: 2 });
  await a.ask(1, 'acquire', 'slots', { ...of, leaseMs: 3000 });
  await a.ask(2, 'acquire', 'slots', of);
  expect(await b.ask(1, 'tryAcquire', 'slots', of)).toMatchObject({ result: 'false' });
  await b.ask(2, 'acquire', 'slots', { ...of, leaseMs: 60_000 });
  await b.told('unsubscribed');
  expect(await a.ask(1, 'release', 'slots', of)).toMatchObject({ ok: false });
  await a.ask(2, 'release', 'slots', of);
  await b.ask(2, 'release', 'slots', of);

  const last = /zrem \S+ PERMIT → incrby slots 1 → PUBLISH \S+ 2/;
  const { onlyOurs, onlyTheirs, kinds, events } = await compared(tap, 'expirable-semaphore', 0, last);
  const asked = 'EVAL 3 slots {slots}:timeout redisson_sc:{slots} TIME PUBLISH';
  expect({ onlyOurs, kinds }).toEqual({ onlyOurs: [], kinds: ['semaphore', 'expirable-semaphore'] });
  expect(onlyTheirs).toEqual([`${asked} → zrangebyscore {slots}:timeout 0 TIME limit 0 -1 → get slots`]);
  expect(told(events, 'permits.expired', 'unlock.refused')).toEqual(['permits.expired', 'unlock.refused']);
});

test.concurrent('latch: counted down to zero, it opens for all who await it', async ({ cast, tap }) => {
  const [a, b] = await twoClients(cast);
  const of = { kind: 'latch' } as const;
  await a.ask(1, 'trySetCount', 'boot', { ...of, permits: 2 });
  const waiting = [b.ask(1, 'await', 'boot', of), a.ask(2, 'await', 'boot', { ...of, waitMs: 30_000 })];
  await b.told('refused', isAttempt(2));
  await a.told('refused', isAttempt(2));
  await a.ask(1, 'countDown', 'boot', of);
  await b.ask(2, 'countDown', 'boot', of);
  expect(await Promise.all(waiting)).toEqual([
    { ok: true, result: 'true' },
    { ok: true, result: 'true' },
  ]);
  await a.ask(1, 'countDown', 'boot', of);

  const { onlyOurs, onlyTheirs, kinds, events } = await compared(tap, 'latch', 0, /decr boot → del boot$/);
  expect({ onlyOurs, onlyTheirs, kinds }).toEqual({ onlyOurs: [], onlyTheirs: [], kinds: ['latch'] });
  expect(told(events, 'latch.set', 'latch.counted-down', 'latch.opened')).toEqual([
    'latch.set',
    'latch.counted-down',
    'latch.counted-down',
    'latch.opened',
    'latch.counted-down',
  ]);
});
