import { describe, expect, test } from 'vitest';
import { redisTime } from '../../../shared/base/time.ts';
import { isOfSource, type LockEvent } from '../../../shared/events/event.ts';
import { isFree, type LockState, lockIdOf } from '../../../shared/state/lock-state.ts';
import { reduceLock } from '../../../shared/state/reduce.ts';
import { randomEvents, randomFrom } from '../../testing/random-events.ts';
import { EventStore } from '../store/event-store.ts';
import { sharesOf } from '../terms/memory-shares.ts';
import type { Window } from '../terms/queries.ts';

/** An event store that was given the events batch by batch. */
function eventStoreOf(events: readonly LockEvent[], historyBytes = 64 * 1024 * 1024): EventStore {
  const newest = redisTime(events.reduce((most, { at }) => Math.max(most, at), 0));
  const eventStore = new EventStore(() => newest, { ...sharesOf(), historyBytes });
  for (let from = 0; from < events.length; from += 50) eventStore.add(events.slice(from, from + 50));
  return eventStore;
}

/** Leaves out the number of refusals: an answer does not have every attempt of a dense run. */
function comparable(lock: LockState): unknown {
  return { ...lock, totals: { ...lock.totals, refusals: 0 } };
}

function reduced(events: readonly LockEvent[], locks: readonly LockState[] = []): Map<string, LockState> {
  const world = new Map(locks.map((lock) => [lockIdOf({ ...lock, lock: lock.name }), lock]));
  for (const event of events) {
    if (!isOfSource(event)) world.set(lockIdOf(event), reduceLock(world.get(lockIdOf(event)), event));
  }
  return world;
}

function expectSame(window: Window, all: readonly LockEvent[]): void {
  const { stateSeq } = window;
  const before = reduced(all.filter(({ seq }) => seq <= stateSeq));
  for (const lock of before.values()) {
    if (isFree(lock)) continue;
    expect(window.locks.map(({ name }) => name)).toContain(lock.name);
  }
  for (const lock of window.locks) expect(lock).toEqual(before.get(lockIdOf({ ...lock, lock: lock.name })));
  const last = window.events.at(-1)?.seq ?? stateSeq;
  const reported = new Set(window.events.map(lockIdOf));
  const isReported = (event: LockEvent) => event.seq <= stateSeq || (event.seq <= last && event.at <= window.to);
  const whole = reduced(all.filter(isReported));
  for (const [id, lock] of reduced(window.events, window.locks)) {
    if (reported.has(id)) expect(comparable(lock)).toEqual(comparable(whole.get(id) as LockState));
  }
}

describe('the state at the start of a window and its events give the locks as they were', () => {
  test.each([1, 2, 3])('random events %i', async (seed) => {
    const eventStore = eventStoreOf(randomEvents(seed, 60));
    const all = eventStore.history.after(0, 1_000_000) ?? [];
    const random = randomFrom(seed);
    const first = all[0]?.at ?? 0;
    const length = (all.at(-1)?.at ?? 0) - first;
    for (let n = 0; n < 20; n++) {
      const from = redisTime(Math.floor(first + random() * length));
      const to = redisTime(Math.floor(from + random() * 10_000_000));
      expectSame(await eventStore.answers.window({ from, to, limit: 10_000 }), all);
    }
  });
});

describe('a window gives the locks as they were, also after the oldest events were dropped', () => {
  test.each([11])('random events %i', async (seed) => {
    const events = randomEvents(seed, 250, 600);
    const all = eventStoreOf(events).history.after(0, 1_000_000) ?? [];
    const eventStore = eventStoreOf(events, 250_000);
    expect(eventStore.history.bytes).toBeLessThanOrEqual(250_000);
    const { oldestAt = redisTime(0) } = eventStore.history;
    const oldestSeq = eventStore.history.oldestSeq();
    expect(oldestSeq).toBeGreaterThan(1000);
    const edge = await eventStore.answers.window({ from: redisTime(1), limit: 10_000 });
    expect(edge).toMatchObject({ from: oldestAt, oldestAt, oldestSeq, stateSeq: oldestSeq - 1 });
    expect(edge.locks.some(({ changedSeq }) => changedSeq < oldestSeq)).toBe(true);
    expectSame(edge, all);
    const random = randomFrom(seed);
    const length = (all.at(-1)?.at ?? 0) - oldestAt;
    for (let n = 0; n < 5; n++) {
      const from = redisTime(Math.floor(oldestAt + random() * length));
      const to = redisTime(Math.floor(from + random() * 30_000_000));
      expectSame(await eventStore.answers.window({ from, to, limit: 10_000 }), all);
    }
  });
});

test('windows that begin where the one before was cut off have every event that is not a refusal', async () => {
  const eventStore = eventStoreOf(randomEvents(7, 40));
  const all = eventStore.history.after(0, 1_000_000) ?? [];
  const seqs = new Set<number>();
  let from = all[0]?.at ?? redisTime(0);
  for (let isCut = true; isCut; ) {
    const window = await eventStore.answers.window({ from, limit: 50 });
    expectSame(window, all);
    for (const { seq } of window.events) seqs.add(seq);
    expect(window.isCut).toBe(window.to > from && seqs.size < all.length && window.events.length >= 50);
    isCut = window.isCut;
    from = redisTime(window.to);
  }
  const refusals = all.filter(({ type }) => type === 'lock.refused');
  const missing = all.filter(({ seq, type }) => !seqs.has(seq) && type !== 'lock.refused');
  expect(missing).toEqual([]);
  expect(refusals.length).toBeGreaterThan(0);
});

test('a window of one lock has that lock, its events and those of its source', async () => {
  const eventStore = eventStoreOf(randomEvents(8, 20));
  const all = eventStore.history.after(0, 1_000_000) ?? [];
  const lock = all.find((event) => !isOfSource(event) && event.source === 'redis');
  if (!lock) throw new Error('no lock');
  const of = { lock: lock.lock, source: 'redis', db: 0 };
  const window = await eventStore.answers.window({ ...of, from: redisTime(lock.at), limit: 10_000 });
  expect(new Set(window.events.map((event) => event.lock))).toEqual(new Set([lock.lock, '']));
  expect(window.locks.every(({ name }) => name === lock.lock)).toBe(true);
});

test('a window from an instant before memory begins with the oldest event in memory', async () => {
  const eventStore = eventStoreOf(randomEvents(9, 10));
  const { oldestAt } = eventStore.history;
  const window = await eventStore.answers.window({ from: redisTime(1), limit: 10 });
  expect(window).toMatchObject({ from: oldestAt, oldestAt, oldestSeq: 1, stateSeq: 0, locks: [], isCut: true });
});
