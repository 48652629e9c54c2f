import { expect, test } from 'vitest';
import { command, eventsFromScripts, type Sent, script } from '../../testing/stories/script-story.ts';
import type { LockState } from '../state/lock-state.ts';
import { reduceLock } from '../state/reduce.ts';

const [A, B] = ['worker-1-a1b2c3', 'worker-2-d4e5f6'];
const KEYS = 'lock:nightly lock-signal:nightly';
const WAKES = ['del lock-signal:nightly', 'lpush lock-signal:nightly 1', 'pexpire lock-signal:nightly 1000'];
const release = (by: string, token: string | undefined) =>
  script(by, KEYS, `${token} 1000`, 'get lock:nightly', ...WAKES, 'del lock:nightly');

const STORY: readonly Sent[] = [
  command('a:1', `SET lock:nightly ${A} NX EX 8`),
  command('b:1', `SET lock:nightly ${B} NX EX 8`),
  command('b:1', 'BLPOP lock-signal:nightly 7'),
  release('a:1', A),
  command('b:1', `SET lock:nightly ${B} NX EX 8`),
  release('b:1', B),
];

test('[T12] a client in BLPOP on the list of a lock waits for it asleep, and a release wakes it', () => {
  const events = eventsFromScripts(STORY);
  expect(events.map(({ type }) => type)).toEqual([
    ...['lock.acquired', 'lock.refused', 'waiter.subscribed', 'lock.released', 'wakeup.published'],
    ...['lock.acquired', 'lock.released', 'wakeup.published'],
  ]);
  expect(events[2]).toMatchObject({ holder: B, channel: 'lock-signal:nightly', library: 'python-redis-lock' });
  const waiting = events.slice(0, 3).reduce<LockState | undefined>((lock, event) => reduceLock(lock, event), undefined);
  expect(waiting?.waiters).toMatchObject([{ id: B, isAsleep: true, isConfirmed: true }]);
});

test('[T12] a waiter whose time in BLPOP is over has given up', () => {
  const later = command('c:1', 'PUBLISH other 1');
  const events = eventsFromScripts([...STORY.slice(0, 3), later, later, later], 4000);
  expect(events.at(-1)).toMatchObject({ type: 'waiter.dequeued', holder: B, reason: 'gave-up' });
});
