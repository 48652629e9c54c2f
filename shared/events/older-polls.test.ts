import { expect, test } from 'vitest';
import { lockAt } from '../../testing/stories/lock-at.ts';
import { seconds } from '../../testing/stories/story.ts';
import { makeTokenStory, T1, T2 } from '../../testing/stories/token-story.ts';
import { waitsFromEvents } from '../spans/waits-from-events.ts';
import type { LockEvent } from './event.ts';

const NAME = 'lock:42';
const [HELD, WAITS] = [T1 ?? '', T2 ?? ''];
const ATTEMPT = ['SET', NAME, WAITS, 'NX', 'PX', '30000'];

/**
 * T1 holds the lock; T2 attempts at these seconds. `watchedFor`: seconds from when watching began to the first attempt.
 */
function polled(times: readonly number[], watchedFor: number, ask = ATTEMPT): LockEvent[] {
  const { run, read } = makeTokenStory();
  const [first = 0] = times;
  run(first - watchedFor, 'ops', ['ECHO', 'any']);
  const attempts = times.flatMap((at) => run(at, 'b', ask));
  return [...attempts, ...read((times.at(-1) ?? 0) + 0.001, NAME, HELD, 600_000)];
}
const every = (pause: number, count: number) => Array.from({ length: count }, (_, n) => 100 + n * pause);
const waitersOf = (events: LockEvent[]) => lockAt(events, seconds(1000)).waiters;

test.each([0.1, 0.2, 1, 2.5])(
  'a token that attempts every %s s may have waited before its first attempt, if watching had just begun',
  (pause) => {
    const before = polled(every(pause, 6), pause * 0.9);
    expect(waitersOf(before)).toMatchObject([{ id: WAITS, attempts: 6, since: seconds(100), isOlder: true }]);
    expect(waitsFromEvents(before)).toMatchObject([{ holder: WAITS, from: seconds(100), isOpenStart: true }]);
    // Attempts before the first one would have been seen.
    const since = polled(every(pause, 6), pause * 2);
    expect(waitersOf(since)[0]).toMatchObject({ id: WAITS, attempts: 6, since: seconds(100) });
    expect(waitersOf(since)[0]?.isOlder).toBeUndefined();
    expect(waitsFromEvents(since)).toMatchObject([{ isOpenStart: false }]);
  },
);

test.each([
  [0.9, { waitedMs: 1100, waitedAtLeast: true }],
  [2, { waitedMs: 1100 }],
])(
  'a token whose polls began %s poll intervals after watching did has waited %o when it acquires the lock',
  (pauses, waited) => {
    const { run, read, script } = makeTokenStory();
    run(100 - 0.2 * pauses, 'ops', ['ECHO', 'any']);
    for (const at of every(0.2, 5)) run(at, 'b', ATTEMPT);
    read(100.9, NAME, HELD, 600_000);
    script(
      101,
      'a',
      [NAME],
      [HELD],
      [
        ['get', NAME],
        ['del', NAME],
      ],
    );
    const [acquired] = run(101.1, 'b', ATTEMPT);
    const { waitedMs, waitedAtLeast } = { waitedMs: 0, ...acquired } as { waitedMs: number; waitedAtLeast?: true };
    expect({ waitedMs: Math.round(waitedMs), ...(waitedAtLeast && { waitedAtLeast }) }).toEqual(waited);
  },
);

test('a token that pauses randomly may have waited before its first attempt, if a pause is longer than watching had lasted by then', () => {
  const events = polled([100, 100.06, 100.31, 100.4], 0.15);
  expect(waitersOf(events)).toMatchObject([{ attempts: 4, isOlder: true }]);
  expect(waitersOf(polled([100, 100.06, 100.11, 100.2], 0.15))[0]?.isOlder).toBeUndefined();
});

test('a token that attempts before and after a blind spot has waited longer: its attempts during it were not seen', () => {
  const { run, read, step } = makeTokenStory();
  const events = [
    ...run(0, 'a', ['SET', NAME, HELD, 'NX', 'PX', '600000']),
    ...read(0.1, NAME, HELD, 600_000),
    ...step({ kind: 'blind-spot', at: seconds(10), phase: 'began', reason: 'connection-lost' }),
    ...step({ kind: 'blind-spot', at: seconds(20), phase: 'ended', reason: 'connection-lost' }),
    ...read(20.01, NAME, HELD, 580_000),
    ...every(0.2, 5).flatMap((at) => run(at - 79.9, 'b', ATTEMPT)),
  ];
  expect(waitersOf(events)).toMatchObject([{ id: WAITS, since: seconds(20.1), isOlder: true }]);
});

test('a token whose first poll was seen has waited since that poll, also after a blind spot', () => {
  const { run, read, step } = makeTokenStory();
  const asks = (from: number, count: number) => every(0.5, count).flatMap((at) => run(at - 100 + from, 'b', ATTEMPT));
  const events = [
    ...run(0, 'a', ['SET', NAME, HELD, 'NX', 'PX', '600000']),
    ...read(0.1, NAME, HELD, 600_000),
    ...asks(8, 4),
    ...step({ kind: 'blind-spot', at: seconds(9.6), phase: 'began', reason: 'connection-lost' }),
    ...step({ kind: 'blind-spot', at: seconds(9.8), phase: 'ended', reason: 'connection-lost' }),
    ...read(9.81, NAME, HELD, 590_000),
    ...asks(10, 3),
  ];
  expect(waitersOf(events)).toMatchObject([{ id: WAITS, since: seconds(8), attempts: 7 }]);
  expect(waitersOf(events)[0]?.isOlder).toBeUndefined();
});

test('a poll whose first attempts are no longer known has waited at least since the oldest known one', () => {
  // 30 attempts before a read shows the holder: the newest 20 are kept.
  const events = polled(every(0.2, 30), 60);
  expect(waitersOf(events)[0]?.isOlder).toBe(true);
  expect(waitersOf(events)[0]?.since).toBeGreaterThan(seconds(101));
});

test('a wait whose first attempts were reported before its lock was dropped is older than the next attempt', () => {
  const events = polled(every(0.2, 6), 60).filter((event) => event.type === 'lock.refused');
  expect(waitersOf(events)[0]?.isOlder).toBeUndefined();
  expect(waitersOf(events.slice(3))).toMatchObject([{ attempts: 6, since: seconds(100.6), isOlder: true }]);
});

test('a refused unlock by a token that lost the lock names the first refused attempt since', () => {
  const { run, read, script } = makeTokenStory();
  const asks = (at: number, token: string) => run(at, token, ['SET', NAME, token, 'NX', 'PX', '1000']);
  const compared = (at: number, token: string) => script(at, token, [NAME], [token], [['get', NAME]]);
  asks(0, HELD);
  const events = [...read(0.1, NAME, HELD, 900), ...asks(2, WAITS), ...read(2.1, NAME, WAITS, 900)];
  events.push(...asks(2.2, HELD), ...asks(2.4, HELD), ...compared(2.5, HELD));
  expect(events.at(-1)).toMatchObject({ type: 'unlock.refused', holder: HELD, backAt: seconds(2.2) });
});
