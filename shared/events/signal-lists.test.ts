import { expect, test } from 'vitest';
import { lockAt } from '../../testing/stories/lock-at.ts';
import { command, eventsAt, eventsFromScripts, type Sent, script } from '../../testing/stories/script-story.ts';
import { seconds } from '../../testing/stories/story.ts';
import { waitsFromEvents } from '../spans/waits-from-events.ts';
import type { LockState } from '../state/lock-state.ts';
import { reduceLock } from '../state/reduce.ts';
import { recogniseCommand } from './recognise/plain-command.ts';

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

test('[T12] a client in BLPOP on the list of a lock is a sleeping waiter, and a release reports a wake-up', () => {
  const events = eventsFromScripts(STORY);
  expect(events.map(({ type }) => type)).toEqual([
    ...['lock.acquired', 'lock.refused', 'waiter.subscribed', 'lock.released', 'wakeup.published'],
    ...['lock.acquired', 'lock.released', 'wakeup.published'],
  ]);
  expect(events[2]).toMatchObject({ holder: B, channel: 'lock-signal:nightly', library: 'python-redis-lock' });
  const waiting = events.slice(0, 3).reduce<LockState | undefined>((lock, event) => reduceLock(lock, event), undefined);
  expect(waiting?.waiters).toMatchObject([{ id: B, isAsleep: true, isConfirmed: true }]);
});

test('[T12] a waiter whose BLPOP reached its time limit has given up', () => {
  const later = command('c:1', 'PUBLISH other 1');
  const events = eventsFromScripts([...STORY.slice(0, 3), later, later, later], 4000);
  expect(events.at(-1)).toMatchObject({ type: 'waiter.dequeued', holder: B, reason: 'gave-up' });
});

test('[T12] walrus acquires a lock without a lease by the command that may also be refused: later commands show which', () => {
  const [key, list] = ['lock:report', 'lock.event:report'];
  const ask = (by: string, token: string, leaseMs: number, ...more: string[]): Sent => ({
    by,
    words: ['EVALSHA', 'd893d8da0844b834c9c5a41fb79b469749e6f442', '1', key, token, String(leaseMs)],
    ran: [`setnx ${key} ${token}`, ...more],
  });
  const release: Sent = {
    by: 'a:1',
    words: ['EVALSHA', '758ee2fc57c84a93a25cd712f592a1b4898d6c03', '2', key, list, A],
    ran: [`get ${key}`, `lpush ${list} 1`, `ltrim ${list} 0 0`, `del ${key}`],
  };
  const waits = [command('b:1', `BLPOP ${list} 30000`), release];
  const ends = ['lock.refused', 'waiter.subscribed', 'wakeup.published', 'lock.released'].toSorted();
  for (const leaseMs of [0, 30_000]) {
    const isTimed = leaseMs > 0 ? [`pexpire ${key} ${leaseMs}`] : [];
    const events = eventsFromScripts([ask('a:1', A, leaseMs, ...isTimed), ask('b:1', B, leaseMs), ...waits]);
    expect(events[0], String(leaseMs)).toMatchObject({ type: 'lock.acquired', holder: A, library: 'walrus' });
    expect(
      events
        .slice(1)
        .map(({ type }) => type)
        .toSorted(),
    ).toEqual(ends);
  }
});

test('[T9] lists, sorted sets and counters with names of locks are recognised as locks that are not understood', () => {
  const actionsOf = (text: string) => {
    const { by, words } = command('a:1', text);
    return recogniseCommand({ kind: 'line', at: seconds(1), db: 0, client: by, words });
  };
  expect(actionsOf('BLPOP worker:AVAILABLE 0')).toContainEqual(
    expect.objectContaining({ key: 'worker', form: 'list' }),
  );
  expect(actionsOf('BLPOP mails 0').map((action) => action.do)).not.toContain('strange-lock');
  expect(actionsOf('BLPOP mutex:report 5')).toContainEqual(
    expect.objectContaining({ key: 'mutex:report', form: 'list' }),
  );
  expect(actionsOf('ZADD semaphore:imports 1795 a')).toContainEqual(expect.objectContaining({ form: 'sorted-set' }));
  expect(actionsOf('INCR semaphore_imports')).toContainEqual(expect.objectContaining({ form: 'counter' }));
  expect(actionsOf('ZADD semantics 1 a').map((action) => action.do)).not.toContain('strange-lock');
});

test("[T12] a waiter of an application's own lock sleeps in BLPOP on the list by which a release was seen to wake it", () => {
  const [key, list] = ['order:7', 'order:7:wake'];
  const [one, other] = ['3f0c9a52-8d14-4d0e-9a37-0d9d1f0c2b11', '7be1c0de-51f2-4c1b-8f44-6a0c9d3e5f22'];
  const ask = (by: string, token: string) => command(by, `SET ${key} ${token} NX EX 30`);
  const free = (by: string, token: string) =>
    script(by, `${key} ${list}`, token, `get ${key}`, `del ${key}`, `rpush ${list} 1`, `expire ${list} 5`);
  const sleeps = (by: string) => command(by, `BLPOP ${list} 10`);
  const round = [ask('a:1', one), ask('b:1', other), sleeps('b:1'), free('a:1', one), ask('b:1', other)];
  const events = eventsFromScripts([...round, sleeps('c:1'), free('b:1', other), ...round]);
  const slept = events.filter(({ type }) => type === 'waiter.subscribed');
  expect(slept).toMatchObject([{ lock: key, holder: other, channel: list, by: 'b:1' }]);
  expect(events.at(-1)).toMatchObject({ type: 'lock.acquired', holder: other, waitedMs: 300 });
});

test.each([
  [0, true],
  [10, true],
  [11, undefined],
])(
  '[T12] a waiter that sleeps in rounds of 7 s may have waited before, if its first attempt is seen %d s after watching began',
  (watchedFor, isOlder) => {
    const [ping, ...story] = [command('c:1', 'PING'), ...STORY.slice(0, 3)];
    const events = eventsAt([
      { sent: ping, atMs: 0 },
      ...story.map((sent, n) => ({ sent, atMs: watchedFor * 1000 + n })),
    ]);
    const slept = events.find(({ type }) => type === 'waiter.subscribed');
    expect(slept).toMatchObject({ holder: B });
    expect(slept && 'isOlder' in slept ? slept.isOlder : undefined).toBe(isOlder);
    const [waiter] = lockAt(events, seconds(watchedFor + 1)).waiters;
    expect(waiter).toMatchObject({ id: B, isAsleep: true });
    expect(waiter?.isOlder).toBe(isOlder);
    expect(waitsFromEvents(events)[0]?.isOpenStart).toBe(isOlder);
  },
);
