import { expect, test } from 'vitest';
import type { LockState } from '../../shared/state/lock-state.ts';
import { reduceLock } from '../../shared/state/reduce.ts';
import type { Lock } from '../../shared/wire/locks/lock.ts';
import { lockView, UNKNOWN_PRESENCE } from '../../shared/wire/locks/lock-view.ts';
import { seconds, story } from '../../testing/stories/story.ts';
import { unsafeHead } from './remove-head.ts';

/** A fair lock with B first in its queue. */
function fair(goneSince?: number): Lock {
  const events = story('x lease 30s\n0.000 A attempts acquired\n1.000 B attempts refused\n1.001 B subscribes');
  const state = events.reduce<LockState | undefined>((lock, event) => reduceLock(lock, event), undefined);
  if (!state) throw new Error('no lock');
  const { kindKnown: _, ...lock } = lockView(state, seconds(2), UNKNOWN_PRESENCE);
  const waiters = lock.waiters.map((waiter) => ({ ...waiter, position: 1, ...(goneSince && { goneSince }) }));
  return { ...lock, kind: 'fair-lock', library: 'redisson', waiters };
}

test('only a head whose client is known to be gone can be removed', () => {
  expect(unsafeHead(fair())).toBe('head-alive');
  expect(unsafeHead({ ...fair(), waiters: fair().waiters.map((each) => ({ ...each, presumedGone: true })) })).toBe(
    'head-alive',
  );
  expect(unsafeHead(fair(1))).toBeUndefined();
});

test('only the queue of a known fair lock of Redisson has a head to remove', () => {
  expect(unsafeHead({ ...fair(1), kind: 'lock' })).toBe('no-queue');
  expect(unsafeHead({ ...fair(1), library: 'other' })).toBe('no-queue');
  expect(unsafeHead({ ...fair(1), kindKnown: false })).toBe('guessed');
  expect(unsafeHead({ ...fair(1), waiters: fair(1).waiters.map((each) => ({ ...each, position: 2 })) })).toBe(
    'no-queue',
  );
});
