import { describe, expect, test } from 'vitest';
import { redisTime } from '../../shared/base/time.ts';
import type { LockEvent } from '../../shared/events/event.ts';
import type { BlindReason } from '../../shared/signals/blind-reason.ts';
import { windowBody } from '../../shared/wire/window.ts';
import { strictly } from '../../testing/stories/strictly.ts';
import { EventStore } from './store/event-store.ts';
import { sharesOf } from './terms/memory-shares.ts';

const AT = 1_795_000_000_000_000;
const at = (ms: number) => redisTime(AT + ms * 1000);
const ALL = { from: 0, limit: 1000, isWanted: () => true };

/** Collects events with rising numbers. An event that has a holder is about thread `holder` of one client. */
class EventList {
  readonly events: LockEvent[] = [];

  #head(ms: number, lock: string, holder: string) {
    const place = { seq: this.events.length + 1, at: at(ms), source: 'redis', db: 0, lock, kind: 'lock' } as const;
    return { ...place, certainty: 'observed', holder: `0a000000-0000-4000-8000-000000000000:${holder}` } as const;
  }

  acquired(ms: number, lock: string, holder = '1'): this {
    this.events.push({ ...this.#head(ms, lock, holder), type: 'lock.acquired', mode: 'exclusive', leaseMs: 30_000 });
    return this;
  }

  released(ms: number, lock: string, holder = '1'): this {
    this.events.push({ ...this.#head(ms, lock, holder), type: 'lock.released', mode: 'exclusive', holdCount: 0 });
    return this;
  }

  renewed(ms: number, lock: string, holder = '1'): this {
    this.events.push({ ...this.#head(ms, lock, holder), type: 'lease.renewed', cause: 'watchdog', leaseMs: 30_000 });
    return this;
  }

  refused(ms: number, lock: string, holder: string, attempt: number): this {
    const reported = { mode: 'exclusive', ttlMs: 1000, attempt, asleep: attempt > 1 } as const;
    this.events.push({ ...this.#head(ms, lock, holder), type: 'lock.refused', ...reported });
    return this;
  }

  found(ms: number, lock: string): this {
    const { holder, ...head } = this.#head(ms, lock, '1');
    this.events.push({ ...head, type: 'lock.found', holders: [{ holder, holdCount: 1, mode: 'exclusive' }] });
    return this;
  }

  fixedUp(ms: number, lock: string): this {
    const { holder: _, ...head } = this.#head(ms, lock, '1');
    this.events.push({ ...head, type: 'lease.renewed', cause: 'command', leaseMs: 60_000 });
    return this;
  }

  blind(ms: number, reason: BlindReason = 'connection-lost'): this {
    const { holder: _, ...head } = this.#head(ms, '', '1');
    this.events.push({ ...head, type: 'blind-spot.began', reason });
    return this;
  }

  sees(ms: number, from: number): this {
    const { holder: _, ...head } = this.#head(ms, '', '1');
    this.events.push({ ...head, type: 'blind-spot.ended', reason: 'watching-again', from: at(from) });
    return this;
  }

  /** Many short holds of other locks, one every 10 ms. */
  traffic(ms: number, count: number): this {
    for (let n = 0; n < count; n++) {
      const lock = `once:${ms}:${n}`;
      this.acquired(ms + 10 * n, lock, '9').released(ms + 10 * n + 5, lock, '9');
    }
    return this;
  }
}

function eventStoreOf({ events }: EventList, historyBytes = 250_000): EventStore {
  const newest = events.at(-1)?.at ?? at(0);
  const eventStore = new EventStore(() => newest, { ...sharesOf(), historyBytes });
  for (const event of events) eventStore.add([event]);
  return eventStore;
}

describe('a lock that was acquired long before the oldest event in memory', () => {
  const list = new EventList()
    .acquired(0, 'stuck')
    .renewed(10, 'stuck')
    .refused(20, 'stuck', '2', 1)
    .found(30, 'earlier');
  list.refused(40, 'stuck', '2', 2).traffic(1000, 10_000).renewed(102_000, 'stuck');
  const eventStore = eventStoreOf(list);
  const { spans, window, lockPage } = eventStore.answers;
  const { oldestAt = at(0) } = eventStore.history;

  test('has a hold and a wait with their true beginning', async () => {
    expect(oldestAt).toBeGreaterThan(at(50_000));
    for (const query of [{}, { from: oldestAt }, { from: at(101_000) }, { lock: 'stuck' }, { minMs: 1000 }]) {
      const found = (await spans(query)).spans.filter(({ lock }) => lock === 'stuck');
      expect(found).toMatchObject([
        {
          kind: 'hold',
          from: at(0),
          to: null,
          openStart: false,
          fromSeq: 1,
          renewalsBefore: 1,
          renewals: [at(102_000)],
        },
        { kind: 'wait', from: at(20), to: null, openStart: false, fromSeq: 3, attempts: 2 },
      ]);
    }
  });

  test('has a hold without a seen beginning if a read found it', async () => {
    const found = (await spans({ lock: 'earlier' })).spans;
    expect(found).toMatchObject([{ kind: 'hold', from: at(30), openStart: true, fromSeq: 4 }]);
  });

  test('is in the window and in the list of three later instants', async () => {
    for (const from of [oldestAt, at(90_000), at(101_999)]) {
      const { locks, events } = await window({ from, to: redisTime(from + 1), limit: 100 });
      expect(locks.find(({ name }) => name === 'stuck')).toMatchObject({ holders: [{ since: at(0), renewals: 1 }] });
      expect(events.some(({ lock }) => lock === 'stuck')).toBe(false);
      const page = await lockPage({ ...ALL, at: from });
      expect(page.locks.slice(0, 2).map(({ name }) => name)).toEqual(['stuck', 'earlier']);
      expect(page.locks[0]).toMatchObject({ holders: [{ since: at(0) }], waiters: [{ since: at(20), attempts: 2 }] });
    }
  });

  test('is listed if only long holds are requested, and short holds are left out', async () => {
    const { spans: long } = await spans({ minMs: 1000 });
    expect(new Set(long.map(({ lock }) => lock))).toEqual(new Set(['stuck', 'earlier']));
  });
});

describe('on a quiet server, with 1,000 events an hour', () => {
  const MIN = 60_000;
  const list = new EventList().acquired(0, 'stuck');
  for (let n = 1; n <= 1200; n++) {
    if (n === 834) list.released(100 * MIN, 'stuck');
    list.acquired(n * 7200, `once:${n}`, '9').released(n * 7200 + 10, `once:${n}`, '9');
  }
  const eventStore = eventStoreOf(list, sharesOf().historyBytes);
  const { oldestAt = at(0), bytes } = eventStore.history;

  test('a lock that was held for 100 min is in windows and lists of that time, 5 min apart', async () => {
    expect(oldestAt).toBeLessThan(at(80 * MIN));
    expect(eventStore.history.isCapped()).toBe(true);
    for (let from = oldestAt; from < at(100 * MIN); from = redisTime(from + 5 * MIN * 1000)) {
      const { locks } = await eventStore.answers.window({ from, limit: 1 });
      expect(locks.find(({ name }) => name === 'stuck')).toMatchObject({ holders: [{ since: at(0) }] });
      const listed = await eventStore.answers.lockPage({ ...ALL, at: from, isWanted: ({ name }) => name === 'stuck' });
      expect(listed.locks).toMatchObject([{ held: true, holders: [{ since: at(0) }] }]);
    }
  });

  test('memory goes back 60 to 135 min, and after 8 hours takes less than twice as much', () => {
    const later = new EventList();
    later.events.push(...list.events);
    for (let n = 1201; n <= 4000; n++) later.acquired(n * 7200, `once:${n}`).released(n * 7200 + 10, `once:${n}`);
    const { history } = eventStoreOf(later, sharesOf().historyBytes);
    expect(history.oldestAt).toBeGreaterThan(at(4000 * 7200 - 135 * MIN));
    expect(history.oldestAt).toBeLessThan(at(4000 * 7200 - 60 * MIN));
    expect(history.bytes).toBeLessThan(2 * bytes);
  });
});

test('events stay within rooms of 250 KB to 3 KB, and a lock held since the beginning is in the oldest window', async () => {
  const list = new EventList().acquired(0, 'stuck').traffic(10, 5000);
  const eventStore = eventStoreOf(list, 4_000_000);
  let seq = list.events.length;
  for (const room of [250_000, 60_000, 15_000, 3000]) {
    eventStore.setRooms({ ...sharesOf(), historyBytes: room });
    for (const event of new EventList().traffic(seq * 10, 1).events) eventStore.add([{ ...event, seq: ++seq }]);
    const { bytes, oldestAt = at(0) } = eventStore.history;
    expect(bytes).toBeLessThanOrEqual(room);
    const { locks } = await eventStore.answers.window({ from: redisTime(oldestAt + 1), limit: 1 });
    expect(locks.map(({ name }) => name)).toContain('stuck');
  }
});

test('a group that is recognised later is in the state of earlier and later windows', async () => {
  const list = new EventList().traffic(0, 100).acquired(2000, 'a');
  for (let n = 0; n < 200; n++) list.acquired(2001 + n / 1000, `c${n}`, '9').released(2001 + n / 1000, `c${n}`, '9');
  list.acquired(2002, 'b').fixedUp(2004, 'a').fixedUp(2006, 'b').traffic(3000, 400);
  const eventStore = eventStoreOf(list);
  const group = eventStore.answers.lockById('redis/0/a')?.holders[0]?.group;
  expect(group).toMatch(/^g/);
  for (const from of [at(2001.2), at(2001.9), at(5000)]) {
    const { locks } = await eventStore.answers.window({ from, limit: 1 });
    expect(locks.find(({ name }) => name === 'a')?.holders[0]?.group).toBe(group);
  }
});

describe('within a blind spot', () => {
  const list = new EventList().acquired(0, 'a').blind(1000).sees(5000, 1000).released(6000, 'a');

  test('a lock is marked as not watched, and a window that begins in it lists its source as not watched', async () => {
    const { answers } = eventStoreOf(list);
    const listed = async (ms: number) => (await answers.lockPage({ ...ALL, at: at(ms) })).locks[0];
    expect(await listed(500)).not.toHaveProperty('unwatchedSince');
    expect(await listed(2000)).toMatchObject({ held: true, unwatchedSince: at(1000) });
    expect(await listed(5500)).not.toHaveProperty('unwatchedSince');
    const { blind } = await answers.window({ from: at(2000), limit: 10 });
    expect(blind).toEqual([{ source: 'redis', since: at(1000), reason: 'connection-lost' }]);
    expect((await answers.window({ from: at(5500), limit: 10 })).blind).toEqual([]);
  });

  test('the present lock is marked as not watched, and the end of the blind spot removes the mark', () => {
    const now = eventStoreOf(Object.assign(new EventList(), { events: list.events.slice(0, 2) }));
    expect(now.answers.lockById('redis/0/a')).toMatchObject({ held: true, unwatchedSince: at(1000) });
    const changed: string[] = [];
    now.answers.onBatch((batch) => changed.push(...batch.changed));
    now.add(list.events.slice(2, 3));
    expect(changed).toEqual(['redis/0/a']);
    expect(now.answers.lockById('redis/0/a')).not.toHaveProperty('unwatchedSince');
  });

  test('if the observer ended, its locks are known before the blind spot and removed after it', async () => {
    const newest = at(9000);
    const eventStore = new EventStore(() => newest);
    const [acquired, began, ended, last] = new EventList()
      .acquired(0, 'a')
      .blind(1000, 'observer-ended')
      .sees(5000, 1000)
      .acquired(6000, 'b').events;
    if (!acquired || !began || !ended || !last) throw new Error('no events');
    eventStore.add([acquired, began]);
    eventStore.forgetSource('redis');
    eventStore.add([ended, last]);
    const { answers } = eventStore;
    const names = async (ms: number) =>
      (await answers.lockPage({ ...ALL, at: at(ms) })).locks.map(({ name, unwatchedSince }) => [name, unwatchedSince]);
    expect(await names(500)).toEqual([['a', undefined]]);
    expect(await names(7000)).toEqual([['b', undefined]]);
    expect((await answers.window({ from: at(7000), limit: 1 })).locks.map(({ name }) => name)).toEqual(['b']);
    const { forgotten } = await answers.window({ from: at(500), limit: 10 });
    expect(forgotten).toEqual([{ afterSeq: 2, at: newest, source: 'redis' }]);
  });

  test('after a source was removed, a window has exactly the fields of its schema', async () => {
    const eventStore = new EventStore(() => at(9000));
    eventStore.add(new EventList().acquired(0, 'a').blind(1000, 'observer-ended').events);
    eventStore.forgetSource('redis', true);
    const window = await eventStore.answers.window({ from: at(500), limit: 10 });
    expect(window.forgotten).toHaveLength(1);
    const sent = JSON.parse(JSON.stringify({ v: 1, ...window }));
    expect(strictly(windowBody, sent)).toEqual(sent);
  });
});

test('a lock that was evicted later is found by its name at an earlier instant', async () => {
  const { events } = new EventList().acquired(0, 'a').acquired(10, 'b').released(20, 'a');
  const eventStore = new EventStore(() => at(100));
  eventStore.add(events);
  eventStore.forgetLocks('redis', [{ db: 0, lock: 'a' }]);
  const { pastLocksNamed, locksNamed, detail } = eventStore.answers;
  expect(locksNamed('a')).toEqual([]);
  const [lock] = await pastLocksNamed('a', {}, at(5));
  expect(lock).toMatchObject({ name: 'a', held: true, holders: [{ since: at(0), letter: 'A' }] });
  expect(lock && (await detail(lock, at(15)))).toMatchObject({ held: true, stats: { acquisitions: 1 } });
  expect(await pastLocksNamed('a', { source: 'other' }, at(5))).toEqual([]);
  expect(await pastLocksNamed('a', {}, at(-5))).toEqual([]);
});

test('a window lists the locks that were dropped before it and are still unknown', async () => {
  const { events } = new EventList()
    .acquired(0, 'a')
    .acquired(10, 'b')
    .acquired(20, 'c')
    .acquired(60, 'a')
    .released(90, 'a');
  let now = at(30);
  const store = new EventStore(() => now);
  store.add(events.slice(0, 3));
  store.forgetLocks('redis', [
    { db: 0, lock: 'a' },
    { db: 0, lock: 'b' },
  ]);
  store.add(events.slice(3));
  now = at(100);
  const dropped = async (ms: number, lock?: string) => {
    const filter = lock === undefined ? {} : { lock };
    const { forgotten } = await store.answers.window({ from: at(ms), to: at(ms + 4), limit: 10, ...filter });
    return forgotten.map(({ ids }) => ids);
  };
  expect(await dropped(25)).toEqual([]);
  expect(await dropped(40)).toEqual([['redis/0/a', 'redis/0/b']]);
  expect(await dropped(40, 'b')).toEqual([['redis/0/b']]);
  expect(await dropped(70), 'a was acquired again').toEqual([['redis/0/b']]);
  expect(await dropped(95), 'a is free, and known').toEqual([['redis/0/b']]);
});
