import { expect, test } from 'vitest';
import { holderOf, seconds, story } from '../../testing/stories/story.ts';
import type { LockEvent } from '../events/event.ts';
import { lockView, UNKNOWN_PRESENCE } from '../wire/locks/lock-view.ts';
import type { LockState } from './lock-state.ts';
import { reduceLock } from './reduce.ts';

const [ACQUIRED] = story(`
  orders:42 lease 6s
  0.000  A attempts acquired
`) as [LockEvent];

function later(detail: object): LockEvent {
  const { source, db, lock, kind, certainty } = ACQUIRED;
  return { seq: 2, at: seconds(1), source, db, lock, kind, certainty, ...detail } as LockEvent; // each test adds the type
}

function leaseAfter(...events: readonly LockEvent[]) {
  const lock = events.reduce<LockState | undefined>(reduceLock, undefined);
  return lock && lockView(lock, seconds(2), UNKNOWN_PRESENCE).lease;
}

const HOLDERS = [{ holder: holderOf('A'), holdCount: 1, mode: 'exclusive' }];
const NOT_KNOWN = { ms: null, expiresAt: null };

test('[L7] a lease that a command made endless stays endless until a command sets an end', () => {
  const persisted = later({ type: 'lease.renewed', cause: 'command', expiresAt: null });
  expect(leaseAfter(ACQUIRED, persisted)).toEqual({ ms: 6000, expiresAt: null, neverEnds: true });
  const end = seconds(9);
  const set = later({ type: 'lease.shortened', cause: 'command', leaseMs: 8000, expiresAt: end });
  expect(leaseAfter(ACQUIRED, persisted, set)).toEqual({ ms: 8000, expiresAt: end });
});

test('a read that finds a key without an end shows that the lease never ends', () => {
  expect(leaseAfter(later({ type: 'lock.found', holders: HOLDERS, expiresAt: null }))).toMatchObject({
    neverEnds: true,
  });
  const found = { holders: HOLDERS, expiresAt: null };
  expect(leaseAfter(ACQUIRED, later({ type: 'drift.healed', found }))).toMatchObject({ neverEnds: true });
});

test('if an event does not report the end of a lease, the end is not known', () => {
  expect(leaseAfter(later({ type: 'lock.found', holders: HOLDERS }))).toEqual(NOT_KNOWN);
  expect(leaseAfter(later({ type: 'lock.acquired', holder: holderOf('A'), mode: 'exclusive' }))).toEqual(NOT_KNOWN);
  const count = { holder: holderOf('A'), mode: 'exclusive', holdCount: 1 };
  expect(leaseAfter(ACQUIRED, later({ type: 'lock.partially-released', ...count }))).toEqual({
    ...NOT_KNOWN,
    ms: 6000,
  });
});

test('a lock that became free has no lease, so the end of its next lease is not known', () => {
  const persisted = later({ type: 'lease.renewed', cause: 'command', expiresAt: null });
  const deleted = later({ type: 'lock.deleted', command: 'del' });
  expect(leaseAfter(ACQUIRED, persisted, deleted)).toEqual(NOT_KNOWN);
});
