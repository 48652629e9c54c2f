import { describe, expect, test } from 'vitest';
import { redisTime } from '../../../shared/base/time.ts';
import type { LockEvent } from '../../../shared/events/event.ts';
import { makeMemoryObservatory } from '../../testing/memory-observatory.ts';
import { sharesOf } from '../terms/memory-shares.ts';
import type { ObservedBatch } from '../terms/observed-batch.ts';
import { EventStore } from './event-store.ts';

const HOLDER = '0a000000-0000-4000-8000-000000000000:1';
const AT = 1_795_000_000_000_000;

function acquired(seq: number, lock: string, ms: number): LockEvent {
  const base = { seq, at: redisTime(AT + ms * 1000), source: 'redis', db: 0, lock, kind: 'lock' } as const;
  return { ...base, certainty: 'observed', type: 'lock.acquired', holder: HOLDER, mode: 'exclusive', leaseMs: 30_000 };
}

function released(seq: number, lock: string, ms: number): LockEvent {
  const { leaseMs: _lease, ...base } = acquired(seq, lock, ms) as LockEvent & { leaseMs: number };
  return { ...base, type: 'lock.released', holder: HOLDER, mode: 'exclusive', holdCount: 0 } as LockEvent; // no lease is left
}

/** A plain command sets the lease, as a multi lock does for all its members once it has acquired them. */
function fixedUp(seq: number, lock: string, ms: number): LockEvent {
  const { at, source, db, kind, certainty } = acquired(seq, lock, ms);
  return { seq, at, source, db, lock, kind, certainty, type: 'lease.renewed', cause: 'command', leaseMs: 60_000 };
}

test('a smaller limit drops the oldest events and free locks, and memory() reports the time of the oldest event', () => {
  const eventStore = new EventStore(() => redisTime(AT));
  const gone: string[] = [];
  eventStore.answers.onBatch((batch) => gone.push(...batch.gone));
  eventStore.add([acquired(1, 'held', 0)]);
  for (let n = 1; n <= 2000; n++) {
    eventStore.add([acquired(2 * n, `once:${n}`, n), released(2 * n + 1, `once:${n}`, n)]);
  }
  expect(eventStore.memory()).toMatchObject({ locks: 2001, locksHeld: 1, locksCapped: false, oldestAt: AT });
  eventStore.setRooms({ ...sharesOf(), historyBytes: 100_000, locksBytes: 100_000 });
  const { locks, locksCapped, oldestAt, eventsBytes } = eventStore.memory();
  expect(eventsBytes).toBeLessThanOrEqual(100_000);
  expect(oldestAt).toBeGreaterThan(AT);
  expect(oldestAt).toBe(eventStore.history.after(eventStore.history.oldestSeq() - 1, 1)?.[0]?.at);
  expect(locks).toBeLessThan(200);
  expect(locksCapped).toBe(true);
  expect(gone).toHaveLength(2001 - locks);
  expect(eventStore.answers.lockById('redis/0/held')?.held).toBe(true);
});

test('without an event, memory goes back to the instant at which all locks of a source had been searched for', () => {
  let now = AT;
  const eventStore = new EventStore(() => redisTime(now));
  const see = (part: object) =>
    eventStore.sourcesChanged(
      makeMemoryObservatory()
        .sources()
        .map((source) => ({ ...source, ...part })),
    );
  see({ status: 'connecting', snapshotAt: null });
  see({ status: 'observing', snapshotAt: null });
  see({ status: 'observing', snapshotAt: now, missing: { firstScan: 0.5 } });
  expect(eventStore.history.oldestAt).toBeUndefined();
  for (now = AT + 1000; now <= AT + 2000; now += 1000)
    see({ status: 'observing', snapshotAt: now, missing: undefined });
  eventStore.add([acquired(1, 'later', 60_000)]);
  expect(eventStore.history.oldestAt).toBe(AT + 1000);
});

test('a client that is late changes only the lock at which it is late', () => {
  const eventStore = new EventStore(() => redisTime(AT));
  const changed: string[][] = [];
  eventStore.answers.onBatch((batch) => changed.push([...batch.changed]));
  const { seq, at, source, db, kind, certainty } = acquired(3, '', 30);
  const client = { type: 'client.connected', client: HOLDER.slice(0, 36), name: null, library: 'redisson' } as const;
  const ofClient = { ...client, seq, at, source, db, lock: '', kind, certainty, since: at, addresses: [] } as const;
  eventStore.add([acquired(1, 'a', 0), acquired(2, 'b', 10)]);
  eventStore.add([ofClient]);
  eventStore.add([{ ...acquired(4, 'c', 5000), lateMs: 2000 } as LockEvent]);
  expect(changed).toEqual([['redis/0/a', 'redis/0/b'], ['redis/0/a', 'redis/0/b'], ['redis/0/c']]);
  expect(eventStore.changedLocks()).toBe(3);
});

describe('groups', () => {
  test('[G1] are added to earlier events, in history and in the lock', async () => {
    const eventStore = new EventStore(() => redisTime(AT));
    const batches: ObservedBatch[] = [];
    eventStore.answers.onBatch((batch) => batches.push(batch));
    eventStore.add([acquired(1, 'a', 0)]);
    eventStore.add([acquired(2, 'b', 2)]);
    eventStore.add([fixedUp(3, 'a', 4), fixedUp(4, 'b', 6)]);

    const { events } = await eventStore.history.search({ group: 'g1', limit: 10 });
    expect(events.map(({ lock }) => lock)).toEqual(['a', 'b', 'a', 'b']);
    expect(eventStore.answers.locks().map(({ name, holders }) => [name, holders[0]?.group])).toEqual([
      ['a', 'g1'],
      ['b', 'g1'],
    ]);
    expect(new Set(batches[2]?.changed)).toEqual(new Set(['redis/0/a', 'redis/0/b']));
    expect(batches[2]?.events[1]).toMatchObject({ group: 'g1', groupSeqs: [1, 2, 3] });
  });

  test('[G1] are in all events of one batch', async () => {
    const eventStore = new EventStore(() => redisTime(AT));
    const reported: LockEvent[] = [];
    eventStore.answers.onBatch(({ events }) => reported.push(...events));
    eventStore.add([acquired(1, 'a', 0), acquired(2, 'b', 2), fixedUp(3, 'a', 4), fixedUp(4, 'b', 6)]);
    expect(reported.map(({ group }) => group)).toEqual(['g1', 'g1', 'g1', 'g1']);
    const [lock] = eventStore.answers.locksNamed('a');
    const then = lock && (await eventStore.answers.detail(lock, redisTime(AT + 1000)));
    expect(then?.holders[0]?.group).toBe('g1');
  });

  test('[G2] are removed again if they prove wrong', async () => {
    const eventStore = new EventStore(() => redisTime(AT));
    eventStore.add([acquired(1, 'a', 0), acquired(2, 'b', 2), acquired(3, 'c', 4)]);
    eventStore.add([fixedUp(4, 'a', 6), fixedUp(5, 'b', 8), fixedUp(6, 'c', 10)]);
    expect((await eventStore.history.search({ group: 'g1', limit: 10 })).events).toHaveLength(6);
    eventStore.add([released(7, 'b', 1000)]);
    eventStore.add([released(8, 'a', 3000)]);
    const { events } = await eventStore.history.search({ limit: 10 });
    expect(events.some(({ group }) => group !== undefined)).toBe(false);
    expect(eventStore.answers.lockById('redis/0/c')?.holders[0]?.group).toBeUndefined();
  });
});
