import { describe, expect, test } from 'vitest';
import { redisTime } from '../../../shared/base/time.ts';
import type { LockEvent } from '../../../shared/events/event.ts';
import { byAttention, wantedBy } from '../../../shared/insights/attention.ts';
import type { Lock } from '../../../shared/wire/locks/lock.ts';
import { seconds, story } from '../../../testing/stories/story.ts';
import { makeMemoryObservatory } from '../../testing/memory-observatory.ts';
import { randomEvents } from '../../testing/random-events.ts';
import { EventStore } from '../store/event-store.ts';
import { sharesOf } from '../terms/memory-shares.ts';

const ALL = { from: 0, limit: 1000, isWanted: () => true };

/** Only the events that are in order of time: events that are dated back are left out. */
function inOrder(events: readonly LockEvent[]): LockEvent[] {
  let newest = 0;
  return events.filter(({ at }) => {
    const isNext = at >= newest;
    newest = Math.max(newest, at);
    return isNext;
  });
}

test.each([1, 2])('the list at a past instant equals the list shown then: random events %i', async (seed) => {
  let now = redisTime(0);
  const eventStore = new EventStore(() => now, { ...sharesOf(), historyBytes: 300_000 });
  const then: { at: number; locks: unknown }[] = [];
  const events = inOrder(randomEvents(seed, 250, 600)).map((event, index): LockEvent => ({ ...event, seq: index + 1 }));
  const isLast = (event: LockEvent, next: LockEvent | undefined) => next === undefined || next.at > event.at;
  for (const [index, event] of events.entries()) {
    now = event.at;
    eventStore.add([event]);
    if (index % 500 === 0) eventStore.forgetLocks(event.source, [{ db: event.db, lock: event.lock }]);
    if (index % 149 !== 0 || !isLast(event, events[index + 1])) continue;
    then.push({ at: now, locks: await eventStore.answers.lockPage(ALL) });
  }
  const { oldestAt = now } = eventStore.history;
  const known = then.filter(({ at }) => at >= oldestAt);
  expect(known.length).toBeGreaterThan(2);
  expect(known.length).toBeLessThan(then.length);
  for (const { at, locks } of known) {
    expect(await eventStore.answers.lockPage({ ...ALL, at: redisTime(at) })).toEqual(locks);
  }
});

test.each([1, 2, 3])(
  'held locks and those waited for are first in the present list, in the order of attention: random events %i',
  async (seed) => {
    const events = inOrder(randomEvents(seed, 60, 400)).map(
      (event, index): LockEvent => ({ ...event, seq: index + 1 }),
    );
    let now = redisTime(0);
    const isInOrder = async ({ answers }: EventStore) => {
      const { locks, total } = await answers.lockPage(ALL);
      const urgent = locks.filter(({ held, waiters }) => held || waiters.length > 0);
      expect(locks.slice(0, urgent.length)).toEqual(urgent.toSorted(byAttention));
      expect(total).toBe(locks.length);
      expect(answers.locks(0)).toEqual(answers.locks(0).toSorted(byAttention));
    };
    const store = new EventStore(() => now);
    for (const [index, event] of events.entries()) {
      now = event.at;
      store.add([event]);
      if (index % 97 !== 0) continue;
      await isInOrder(store);
      // Waiters that are presumed gone are shown for a minute. A clock never goes back, so this is another store.
      const later = new EventStore(() => now);
      later.add(events.slice(0, index + 1));
      now = redisTime(now + (index % 3) * 61_000_000);
      await isInOrder(later);
    }
  },
);

test('a lock moves up in the list as soon as the client of its holder is gone', async () => {
  const store = new EventStore(() => seconds(12));
  const events = story(
    'orders:1 lease 60s\n0.000 A attempts acquired',
    `orders:2 lease 60s
     0.500 B attempts acquired
     1.000 redis lists A=app B=web
     6.000 redis lists A=app B=web
     11.000 redis lists A=app`,
  );
  const end = events.findIndex(({ type }) => type === 'client.gone');
  const names = async () => (await store.answers.lockPage(ALL)).locks.map(({ name }) => name);
  store.add(events.slice(0, end));
  expect(await names()).toEqual(['orders:1', 'orders:2']);
  store.add(events.slice(end));
  expect(await names()).toEqual(['orders:2', 'orders:1']);
});

test('the list at a past instant can be filtered and paged', async () => {
  const eventStore = new EventStore(() => redisTime(0));
  const events = randomEvents(4, 30);
  eventStore.add(events);
  const at = redisTime((events.at(-200) as LockEvent).at);
  const all = await eventStore.answers.lockPage({ ...ALL, at });
  const isWanted = ({ held }: { held: boolean }) => held;
  const held = await eventStore.answers.lockPage({ ...ALL, at, isWanted });
  expect(held.locks).toEqual(all.locks.filter(isWanted));
  expect((await eventStore.answers.lockPage({ ...ALL, at, from: 3, limit: 4 })).locks).toEqual(all.locks.slice(3, 7));
});

describe('[S8] a holder from before a blind spot is assumed until a read shows it', () => {
  const STORY = `
    orders:42 lease 30s
    0.000  A attempts acquired
    2.000  - loses sight
    3.000  - sees again
    4.000  B attempts refused
    6.000  - snapshot A×1 29000`;
  const shown = { certainty: 'observed', holders: [{ since: story(STORY)[0]?.at }] };
  const assumed = { certainty: 'inferred', assumedSince: seconds(2) };
  const found = { certainty: 'observed', holders: [{ since: null, firstSeenAt: seconds(6) }] };

  test.each([
    [1, shown],
    [2.5, { ...assumed, unwatchedSince: seconds(2) }],
    [5, assumed],
    [7, found],
  ])('in the live list and in the list of a past instant, at %s s', async (second, expected) => {
    const then = new EventStore(() => seconds(second));
    then.add(story(STORY).filter(({ at }) => at <= seconds(second)));
    const later = new EventStore(() => seconds(7));
    later.add(story(STORY));
    const answers = [
      ...(await then.answers.lockPage(ALL)).locks,
      ...(await later.answers.lockPage({ ...ALL, at: seconds(second) })).locks,
    ];
    expect(answers).toMatchObject([expected, expected]);
    for (const lock of answers) expect('assumedSince' in lock).toBe('assumedSince' in expected);
  });
});

describe('[S8] a lock that was free before a blind spot is assumed to be free until every key was read or the lock changes', () => {
  const STORY = `
    orders:42 lease 30s
    0.000  A attempts acquired
    1.000  A releases
    2.000  - loses sight
    3.000  - sees again
    8.000  B attempts acquired
    9.000  B releases`;
  const { sources } = makeMemoryObservatory();
  const source = sources().map((each) => ({
    ...each,
    id: 'story',
    level: 'monitor' as const,
    status: 'observing' as const,
  }));
  const shown = { held: false, certainty: 'observed' };
  const assumed = { held: false, certainty: 'inferred', assumedSince: seconds(2) };

  /** What is shown at an instant, then and later. `readAt`: when all keys had been looked at. */
  async function shownAt(second: number, readAt?: number) {
    const storeAt = (now: number) => {
      let at = seconds(0);
      const store = new EventStore(() => at);
      store.add(story(STORY).filter((event) => event.at <= seconds(now)));
      const seen: string[][] = [];
      store.answers.onBatch(({ changed }) => seen.push([...changed]));
      if (readAt !== undefined && readAt <= now) {
        at = seconds(readAt);
        const whole = source.map((each) => ({ ...each, snapshotAt: seconds(readAt), missing: undefined }));
        store.sourcesChanged(whole as unknown as Parameters<typeof store.sourcesChanged>[0]); // `missing` is absent
        store.sourcesChanged(whole as unknown as Parameters<typeof store.sourcesChanged>[0]);
        expect(seen).toEqual([['story/0/orders:42'], []]); // pages get it once
      }
      at = seconds(now);
      return store;
    };
    const then = await storeAt(second).answers.lockPage(ALL);
    const later = await storeAt(7).answers.lockPage({ ...ALL, at: seconds(second) });
    return [...then.locks, ...later.locks];
  }

  test.each([
    [1.5, undefined, shown],
    [2.5, undefined, assumed],
    [5, undefined, assumed],
    [3.5, 4, assumed],
    [5, 4, shown],
    [8.5, undefined, { held: true, certainty: 'observed' }],
    [9.5, undefined, shown],
  ])('at %s s; instant at which every key had been read: %s s', async (second, readAt, expected) => {
    const answers = second > 7 ? (await shownAt(second, readAt)).slice(0, 1) : await shownAt(second, readAt);
    for (const lock of answers) {
      expect(lock).toMatchObject(expected);
      expect('assumedSince' in lock).toBe('assumedSince' in expected);
    }
    expect(answers).toHaveLength(second > 7 ? 1 : 2);
  });
});

test.each([
  ['redis hears evicted', 'evicted'],
  ['operator command FLUSHDB', 'flushed'],
])(
  'a free lock whose key was lost is shown with the cause, before other free locks if a connection listens: %s',
  async (lost, by) => {
    const store = new EventStore(() => seconds(9));
    store.add(
      story(
        'orders:1 lease 60s\n0.000 A attempts acquired\n0.100 A releases',
        `orders:2 lease 60s\n1.000 - snapshot A×1 50000 1\n2.000 ${lost}`,
      ).filter(({ type }) => type !== 'client.connected'),
    );
    const shown = { name: 'orders:2', held: false, subscribers: 1, lost: { at: seconds(2), by } };
    for (const at of [undefined, seconds(9)]) {
      const { locks } = await store.answers.lockPage({ ...ALL, ...(at === undefined ? undefined : { at }) });
      expect(locks).toMatchObject([shown, { name: 'orders:1' }]);
      expect(wantedBy(locks[0] as Lock)).toBe(1);
      expect(locks[1]).not.toHaveProperty('lost');
    }
  },
);
