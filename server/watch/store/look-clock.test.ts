import { expect, test } from 'vitest';
import { type RedisTime, redisTime } from '../../../shared/base/time.ts';
import type { LockEvent } from '../../../shared/events/event.ts';
import { merged } from '../../../testing/goldens/report-from-events.ts';
import { PLAIN_SERVER, serverStory } from '../../../testing/stories/server-story.ts';
import { seconds, story } from '../../../testing/stories/story.ts';
import { EventStore } from './event-store.ts';
import { LookClock } from './look-clock.ts';
import { SourceLags } from './source-lags.ts';

const MANY = 1000;

/** Events of locks that are held all the time, and of one that loses its lease at 2.1 s. */
function events(): LockEvent[] {
  const [held] = story('held lease 60s\n 0 A attempts acquired');
  const many = Array.from({ length: MANY }, (_, n) => ({ ...held, lock: `held:${n}` }) as LockEvent); // the story has an event
  const persisted = story('orders:42 lease 30s\n 2.05 A attempts acquired\n 2.1 operator command PERSIST orders:42');
  return [...many, ...persisted].map((event, n) => ({ ...event, seq: n + 1 }));
}

/** A clock over a store that has these events; `opened` has the insights that open, `now` is the time of Redis. */
function clockOver(events: readonly LockEvent[]) {
  const state = { now: redisTime(seconds(0)), opened: [] as LockEvent[] };
  const store = new EventStore(() => state.now);
  const sources = [{ id: 'story', level: 'monitor', status: 'observing', unseen: [], keyEvents: 'notifications' }];
  store.sourcesChanged(sources as unknown as Parameters<typeof store.sourcesChanged>[0]); // the code under test reads only these fields
  store.answers.onBatch((batch) => state.opened.push(...batch.events.filter(({ type }) => type === 'insight.opened')));
  const clock = new LookClock(store);
  for (const part of clock.parts(events)) store.add(part);
  return Object.assign(state, { passTime: (to: RedisTime) => clock.passTime(to) });
}

test('an insight that becomes true only by the passing of time is reported within a quarter of a second, also with a thousand held locks', () => {
  const clock = clockOver(events());
  clock.now = seconds(4);
  clock.passTime(seconds(3));
  expect(clock.opened).toEqual([]);
  clock.passTime(seconds(4));
  // `no-ttl-lock` waits for a second after the lock was acquired at 2.05 s
  expect(clock.opened.map(({ lock, at }) => [lock, at])).toEqual([['orders:42', seconds(3.25)]]);
});

test('a pass of the detectors opens no verdict about a missing command while Redis does not answer, or right after that', () => {
  // Redis stands still from 9 s to 17 s: the renewal that is due at 12.5 s runs after that
  const lock = story('job lease 12s\n 0.5 A attempts acquired\n 4.5 A renews\n 8.5 A renews\n 17.5 A renews');
  const facts = { ...PLAIN_SERVER, unansweredSince: seconds(9) };
  const answers = { s: 17.2, facts: { ...facts, unansweredUntil: seconds(17.2) } };
  const clock = clockOver(merged(lock, serverStory({}, { s: 9, facts }, answers)));
  clock.now = seconds(29);
  clock.passTime(seconds(25.25));
  expect(clock.opened).toEqual([]);
  clock.passTime(clock.now); // nothing renews it any longer
  expect(clock.opened).toMatchObject([{ incident: 'renewal-overdue', at: seconds(25.75) }]);
});

test.each([
  [50, [0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75]],
  [200, [0.25, 1, 1.75]],
])('detector passes of %i ms leave time for the events', (lookMs, expected) => {
  let spentMs = 0;
  const looks: number[] = [];
  const store = {
    changedLocks: () => 0,
    *look(at: RedisTime): Generator<void, void, void> {
      looks.push((at - seconds(0)) / 1_000_000);
      spentMs += lookMs;
      yield;
    },
  };
  const clock = new LookClock(store, () => spentMs);
  clock.passTime(seconds(0.1));
  clock.passTime(seconds(1.75));
  expect(looks).toEqual(expected);
});

test('a source that is late has its own time in each look, and the other sources do not wait for it', () => {
  const open = (lagOf: (source?: string) => number) => {
    let now: RedisTime = redisTime(seconds(0));
    const store = new EventStore(() => now, undefined, undefined, lagOf);
    const sources = [{ id: 'story', level: 'monitor', status: 'observing', unseen: [], keyEvents: 'notifications' }];
    store.sourcesChanged(sources as unknown as Parameters<typeof store.sourcesChanged>[0]); // the code under test reads only these fields
    const clock = new LookClock(store);
    const opened: LockEvent[] = [];
    store.answers.onBatch((batch) => opened.push(...batch.events.filter(({ type }) => type === 'insight.opened')));
    for (const part of clock.parts(events())) store.add(part);
    return (second: number) => {
      now = seconds(second);
      clock.passTime(now);
      return opened.map(({ at }) => at);
    };
  };
  // `no-ttl-lock` waits for a second after the lock was acquired at 2.05 s
  const ofOther = open((source) => (source === 'story' ? 0 : 60_000));
  expect(ofOther(4)).toEqual([seconds(3.25)]);
  const ofLate = open((source) => (source === 'story' ? 2000 : 0));
  expect(ofLate(5)).toEqual([]);
  expect(ofLate(5.25)).toEqual([seconds(3.25)]);
});

test('the time of a source stands still while its lag grows, and advances again when the lag is smaller', () => {
  let lag = 0;
  const lags = new SourceLags((source) => (source === 'late' ? lag : 0));
  const timeAt = (second: number, of?: string) => second - lags.behind('late', seconds(second), of) / 1000;
  expect(timeAt(10)).toBe(10);
  lag = 5000;
  expect([timeAt(11), timeAt(12), timeAt(15), timeAt(16)]).toEqual([10, 10, 10, 11]);
  lag = 1000;
  expect(timeAt(17)).toBe(16);
  expect(timeAt(17, 'late')).toBe(17);
  expect(lags.behind('other', seconds(17))).toBe(0);
});
