import { expect, test } from 'vitest';
import type { Lock } from '../wire/locks/lock.ts';
import { byAttention, wantedBy } from './attention.ts';

function lock(name: string, part: Partial<Lock> = {}): Lock {
  return {
    ...{ id: `s/0/${name}`, source: 's', db: 0, name, kind: 'lock', library: 'redisson', held: false, holders: [] },
    ...{ waiters: [], subscribers: null, lease: { ms: null, expiresAt: null }, certainty: 'observed', changedAt: 1 },
    ...part,
  };
}

const order = (...locks: Lock[]) => locks.sort(byAttention).map(({ name }) => name);

test('a held lock with listeners but no known waiters is treated as waited for', () => {
  const held = Array.from({ length: 40 }, (_, n) => lock(`order:${n}`, { held: true, subscribers: 0 }));
  const stuck = lock('payment:EU', { held: true, subscribers: 1 });
  expect(order(...held, stuck)[0]).toBe('payment:EU');
});

test('a listener of a free lock is ignored: it is about to unsubscribe', () => {
  expect(wantedBy(lock('a', { subscribers: 3 }))).toBe(0);
});

test('a listener of a semaphore without free permits is a waiter, even if it is not known which clients hold permits', () => {
  const semaphore = { kind: 'semaphore', subscribers: 2 } as const;
  expect(wantedBy(lock('a', { ...semaphore, permits: { available: 0, total: null } }))).toBe(2);
  expect(wantedBy(lock('a', { ...semaphore, permits: { available: 1, total: null } }))).toBe(0);
});

test('a listener of a semaphore whose permits were never set is a waiter: it has no key, so none is free', () => {
  expect(wantedBy(lock('a', { kind: 'semaphore', subscribers: 2 }))).toBe(2);
  expect(wantedBy(lock('a', { kind: 'expirable-semaphore', subscribers: 2 }))).toBe(2);
  expect(wantedBy(lock('a', { kind: 'semaphore', subscribers: 2, permits: { available: 3, total: 3 } }))).toBe(0);
});

test('waiters and listeners are the same clients, so their numbers are not added', () => {
  expect(wantedBy(lock('a', { held: true, subscribers: 3, moreWaiters: 2 }))).toBe(3);
  expect(wantedBy(lock('a', { held: true, subscribers: 1, moreWaiters: 5 }))).toBe(5);
});

test('in the order of attention, a lock whose client is gone is first, then wanted locks, the most wanted first, then held and free ones', () => {
  const holder = { id: 'u:1', client: 'u', thread: '1', name: null, holdCount: 1, mode: 'exclusive' } as const;
  const lease = { since: 1, watchdog: 'off', renewals: 0, lastRenewedAt: null, expiresAt: null } as const;
  const gone = lock('z', { held: true, holders: [{ ...holder, ...lease, presence: 'gone' } as Lock['holders'][0]] });
  const convoy = lock('y', { held: true, moreWaiters: 12 });
  expect(
    order(lock('free'), lock('held', { held: true }), lock('b', { held: true, subscribers: 2 }), convoy, gone),
  ).toEqual(['z', 'y', 'b', 'held', 'free']);
});
