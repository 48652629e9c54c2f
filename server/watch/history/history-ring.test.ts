import { describe, expect, test } from 'vitest';
import { redisTime } from '../../../shared/base/time.ts';
import type { LockEvent } from '../../../shared/events/event.ts';
import { denseRunsFromEvents } from '../../../shared/spans/dense-runs.ts';
import { whoseEvent } from '../../../shared/wire/locks/name-parts.ts';
import { goldens } from '../../../testing/traces/read-trace.ts';
import { eventsFromTrace } from '../../../testing/traces/trace-file.ts';
import { HistoryRing } from './history-ring.ts';

/** Thousands of attempts of one waiter behind a dead head, as a real client made them. */
function denseRun(): LockEvent[] {
  const golden = goldens().find(({ folder, name }) => folder === 'redisson-4.7.0' && name === 'fair-dead-head');
  return golden ? eventsFromTrace(golden.trace(), golden.isPushFirst) : [];
}

const MB = 1024 * 1024;

function ringOf(events: readonly LockEvent[], mostBytes = 32 * MB): HistoryRing {
  const ring = new HistoryRing(mostBytes);
  for (const event of events) ring.add(event);
  return ring;
}

/** A part of a run that never ends: `count` attempts, 100 µs apart, that differ in numbers only. */
function endlessRun(like: LockEvent, seq: number, count: number): LockEvent[] {
  return Array.from({ length: count }, (_, n) => {
    const at = redisTime(like.at + n * 100);
    return { ...like, seq: seq + n, at, attempt: n + 1 } as LockEvent; // an attempt with other numbers has the same fields
  });
}

describe('[F6] a dense run', () => {
  const events = denseRun();
  const ring = ringOf(events);

  test('is kept attempt by attempt, unchanged', async () => {
    expect(events.length).toBeGreaterThan(7000);
    expect(ring.after(0, 10_000)).toEqual(events);
    expect(ring.after(4000, 3)).toEqual(events.slice(4000, 4003));
    expect(ring.get(5000)).toEqual(events[4999]);
    const found = await ring.search({ after: 100, limit: 50, type: 'lock.refused' });
    expect(found.events).toEqual(events.slice(100, 150));
  });

  test('can be searched by a range of time', async () => {
    const [from, to] = [events[2000]?.at ?? 0, events[2400]?.at ?? 0];
    const within = events.filter(({ at }) => from <= at && at <= to);
    expect((await ring.search({ after: 0, from, to, limit: 5000 })).events).toEqual(within);
    expect((await ring.search({ from, to, limit: 5000 })).events).toEqual(within);
    expect((await ring.search({ to, limit: 10 })).events).toEqual(events.filter(({ at }) => at <= to).slice(-10));
  });

  test('can be filtered by lock name, and a filter of holders is asked about each holder', async () => {
    const all = await ring.search({ limit: 10_000 });
    const locks = new Set(all.events.map(({ lock }) => lock));
    const [name = ''] = locks;
    const some = await ring.search({ limit: 10_000, isLock: (lock) => lock === name });
    expect(some.events).toEqual(all.events.filter(({ lock }) => lock === name));
    expect((await ring.search({ limit: 10, isLock: () => false })).events).toEqual([]);
    const asked: string[] = [];
    await ring.search({ limit: 10_000, isHolder: (id) => asked.push(id) < 0 });
    expect(new Set(asked)).toEqual(new Set(all.events.map((event) => whoseEvent(event) ?? '')));
  });

  test('can be requested in short: fewer than 40 events show the same runs, and all events that are not refusals', async () => {
    const { events: reported, isCut } = await ring.search({ limit: 100, dense: true });
    expect(isCut).toBe(false);
    expect(reported.length).toBeLessThan(40);
    expect(denseRunsFromEvents(reported)).toEqual(denseRunsFromEvents(events));
    expect(reported.filter(({ type }) => type !== 'lock.refused')).toEqual(
      events.filter(({ type }) => type !== 'lock.refused'),
    );
  });

  test('is the same run if read in two pages', async () => {
    const { events: newest, isCut } = await ring.search({ limit: 4, dense: true });
    expect(isCut).toBe(true);
    const { events: older } = await ring.search({ limit: 100, dense: true, before: newest[0]?.seq });
    expect(denseRunsFromEvents([...older, ...newest])).toEqual(denseRunsFromEvents(events));
  });

  test('of 100,000 attempts fits in 2.7 MB and does not evict the event before it', () => {
    const [before] = events;
    const like = events.find((event) => event.type === 'lock.refused' && event.reason === 'not-head');
    if (!before || !like) throw new Error('no dense run');
    const long = ringOf([before, ...endlessRun(like, 2, 100_000)], 2.7 * MB);
    expect(long.get(1)).toEqual(before);
    expect(long.isCapped()).toBe(false);
    expect(long.get(70_000)).toMatchObject({ seq: 70_000, type: 'lock.refused', attempt: 69_999 });
  });
});

test('an event that is corrected later is found corrected, even in the middle of a run', async () => {
  const ring = ringOf(denseRun());
  const event = ring.get(3000);
  if (!event) throw new Error('no event');
  ring.amend({ ...event, group: 'g1' });
  expect(ring.get(3000)?.group).toBe('g1');
  expect((await ring.search({ group: 'g1', limit: 5 })).events).toHaveLength(1);
  expect(ring.get(3001)?.group).toBeUndefined();
});

/** Events of many locks, as if many processes acquired one lock each. */
function manyLocks(count: number, nameOf = (n: number) => `orders:${n}`): LockEvent[] {
  return Array.from({ length: count }, (_, n): LockEvent => {
    const at = redisTime(1_795_000_000_000_000 + n * 100);
    const holder = `${String(n % 500).padStart(8, '0')}-0000-4000-8000-000000000000:1`;
    const place = { seq: n + 1, at, source: 'redis', db: 0, lock: nameOf(n >> 1), kind: 'lock' } as const;
    const by = { ...place, certainty: 'observed', holder, mode: 'exclusive' } as const;
    return n % 2 === 0
      ? { ...by, type: 'lock.acquired', holdCount: 1, leaseMs: 30_000 }
      : { ...by, type: 'lock.released', holdCount: 0 };
  });
}

test('earlier events that detectors need are taken, unless the ring has dropped its own oldest events', () => {
  const [before, ...events] = manyLocks(40_000);
  if (!before) throw new Error('no event');
  const earlierOf = (ring: HistoryRing) => {
    ring.setEarlier([before], before.at);
    return ring.remembered().earlier;
  };
  expect(earlierOf(ringOf(events.slice(0, 100), MB / 2))).toMatchObject({ from: before.at });
  expect(earlierOf(ringOf(events, MB / 2))).toBeUndefined();
});

describe('room', () => {
  test('is not exceeded: the oldest events are dropped, and all newer ones are kept', async () => {
    const events = manyLocks(40_000);
    const ring = ringOf(events, MB / 2);
    expect(ring.bytes).toBeLessThanOrEqual(MB / 2);
    expect(ring.isCapped()).toBe(true);
    expect(ring.count()).toBeGreaterThan(5000);
    expect(ring.after(ring.oldestSeq() - 1, 100_000)).toEqual(events.slice(ring.oldestSeq() - 1));
    expect(ring.after(ring.oldestSeq() - 2, 1)).toBeUndefined();
  });

  test('is not exceeded with names of 10 KB', () => {
    const ring = ringOf(
      manyLocks(5000, (n) => `${n}:${'x'.repeat(10_000)}`),
      4 * MB,
    );
    expect(ring.bytes).toBeLessThanOrEqual(4 * MB);
    expect(ring.get(5000)?.seq).toBe(5000);
  });

  test('can be made smaller', () => {
    const ring = ringOf(manyLocks(50_000));
    const before = ring.count();
    ring.setRoom(MB / 2);
    expect(ring.bytes).toBeLessThanOrEqual(MB / 2);
    expect(ring.count()).toBeLessThan(before);
    expect(ring.get(50_000)?.seq).toBe(50_000);
  });
});

test('events of one lock or one holder are found among all others', async () => {
  const events = manyLocks(20_000);
  const ring = ringOf(events);
  const holder = (events[700] as LockEvent & { holder: string }).holder;
  const of = (event: LockEvent) => 'holder' in event && event.holder === holder;
  expect((await ring.search({ lock: 'orders:77', limit: 10 })).events).toEqual(events.slice(154, 156));
  expect((await ring.search({ holder, limit: 100 })).events).toEqual(events.filter(of));
  expect((await ring.search({ holder, limit: 100, after: 5000 })).events).toEqual(events.slice(5000).filter(of));
  expect((await ring.search({ type: 'lock.refused', limit: 10 })).events).toEqual([]);
});

test('a search finds what was in memory when it began, although events are added and dropped meanwhile', async () => {
  const events = manyLocks(40_000);
  const ring = ringOf(events.slice(0, 20_000), 2 * MB);
  const oldest = ring.oldestSeq();
  const holder = (events[700] as LockEvent & { holder: string }).holder;
  const found = ring.search({ holder, after: 0, limit: 1000 });
  for (const event of events.slice(20_000)) ring.add(event);
  const then = events.slice(oldest - 1, 20_000);
  expect((await found).events).toEqual(then.filter((event) => 'holder' in event && event.holder === holder));
});
