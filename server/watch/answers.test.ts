import { describe, expect, test } from 'vitest';
import { redisTime } from '../../shared/base/time.ts';
import type { LockEvent } from '../../shared/events/event.ts';
import type { Lock } from '../../shared/wire/locks/lock.ts';
import { EventStore } from './store/event-store.ts';

const HOLDER = '0a000000-0000-4000-8000-000000000000:1';
const AT = 1_795_000_000_000_000;
const at = (ms: number) => redisTime(AT + ms * 1000);

type Where = { lock?: string; db?: number; source?: string; kind?: LockEvent['kind'] };

function head(seq: number, ms: number, where: Where) {
  return { seq, at: at(ms), source: 'redis', db: 0, lock: 'a', kind: 'lock', certainty: 'observed', ...where } as const;
}

function acquired(seq: number, ms: number, where: Where = {}): LockEvent {
  return { ...head(seq, ms, where), type: 'lock.acquired', holder: HOLDER, mode: 'exclusive', holdCount: 1 };
}

function released(seq: number, ms: number, where: Where = {}): LockEvent {
  return { ...head(seq, ms, where), type: 'lock.released', holder: HOLDER, mode: 'exclusive', holdCount: 0 };
}

function blind(seq: number, ms: number): LockEvent {
  return { ...head(seq, ms, { lock: '' }), type: 'blind-spot.began', reason: 'connection-lost' };
}

function lockNow({ answers }: Pick<EventStore, 'answers'>, id: string): Lock {
  const lock = answers.lockById(id);
  if (!lock) throw new Error(`${id} is not known`);
  return lock;
}

function eventStoreOf(...events: LockEvent[]) {
  const eventStore = new EventStore(() => at(10_000));
  eventStore.add(events);
  return eventStore;
}

describe('a lock without a name', () => {
  const eventStore = eventStoreOf(acquired(1, 0, { lock: '' }), released(2, 5, { lock: '' }), blind(3, 7));

  test('has its own holds', async () => {
    expect((await eventStore.answers.spans({ lock: '' })).spans).toMatchObject([
      { kind: 'hold', lock: '', ended: 'released' },
    ]);
  });

  test('has its own events', async () => {
    expect((await eventStore.history.search({ lock: '', limit: 10 })).events.map(({ seq }) => seq)).toEqual([1, 2]);
  });

  test('is not created by an event about the whole source', async () => {
    const lock = lockNow(eventStore, 'redis/0/');
    expect(await eventStore.answers.detail(lock, at(8))).toMatchObject({ held: false, changedAt: at(5) });
    expect(await eventStoreOf(blind(1, 0)).answers.detail(lock, at(1))).toBeUndefined();
  });
});

describe('one lock name in several databases and sources', () => {
  const eventStore = eventStoreOf(
    ...[acquired(1, 0), acquired(2, 1, { db: 3 }), acquired(3, 2, { source: 'other' }), released(4, 3, { db: 3 })],
  );

  test('spans can be requested for one database or one source', async () => {
    const asked = async (query: { source?: string; db?: number }) =>
      (await eventStore.answers.spans({ lock: 'a', ...query })).spans.map(({ source, db }) => `${source}/${db}`);
    expect(await asked({})).toEqual(['redis/0', 'redis/3', 'other/0']);
    expect(await asked({ db: 3 })).toEqual(['redis/3']);
    expect(await asked({ source: 'other' })).toEqual(['other/0']);
  });

  test('events can be requested for one database', async () => {
    const { events } = await eventStore.history.search({ lock: 'a', db: 3, limit: 10 });
    const seqs = events.map(({ seq }) => seq);
    expect(seqs).toEqual([2, 4]);
  });
});

test('figures at a past instant include only what had happened until then', async () => {
  const eventStore = eventStoreOf(acquired(1, 0), released(2, 5), acquired(3, 10), released(4, 40));
  const lock = lockNow(eventStore, 'redis/0/a');
  const { detail } = eventStore.answers;
  expect(await detail(lock, at(12))).toMatchObject({
    held: true,
    stats: { acquisitions: 2, holdMs: { count: 1, median: 5, max: 5 } },
  });
  expect(await detail(lock)).toMatchObject({ held: false, stats: { acquisitions: 2, holdMs: { count: 2, max: 30 } } });
  expect((await detail(lock, at(1)))?.stats.acquisitions).toBe(1);
});

test('figures of a lock leave out holds and waits whose beginning or end was not seen', async () => {
  const waits = (seq: number, ms: number, holder: string, attempt: number, older = {}): LockEvent =>
    ({
      ...{ seq, at: at(ms), source: 'redis', db: 0, lock: 'a', kind: 'lock', certainty: 'observed', holder },
      ...{ type: 'lock.refused', mode: 'exclusive', ttlMs: 1000, attempt, asleep: attempt > 1, ...older },
    }) as LockEvent; // all other fields are optional
  const eventStore = eventStoreOf(
    ...[acquired(1, 0), waits(2, 1, 'u:2', 1), waits(3, 2, 'u:2', 2), waits(4, 3, 'u:3', 2, { isOlder: true })],
    ...[released(5, 5), { ...acquired(6, 6), holder: 'u:2', waitedMs: 5 } as LockEvent],
    ...[{ ...released(7, 7), holder: 'u:2' } as LockEvent],
    ...[{ ...acquired(8, 30), holder: 'u:3', waitedMs: 27, waitedAtLeast: true } as LockEvent, blind(9, 40)],
  );
  expect(await eventStore.answers.detail(lockNow(eventStore, 'redis/0/a'))).toMatchObject({
    stats: { holdMs: { count: 2, median: 1, max: 5 }, waitMs: { count: 1, median: 5, max: 5 } },
  });
});

test.each([
  ['lock', ['a', 'redisson_lock__channel:{a}']],
  ['fair-lock', ['a', 'redisson_lock_queue:{a}', 'redisson_lock_timeout:{a}', 'redisson_lock__channel:{a}']],
  ['read-write-lock', ['a', 'redisson_rwlock:{a}']],
  ['fenced-lock', ['a', 'redisson_lock_token:{a}', 'redisson_lock__channel:{a}']],
  ['spin-lock', ['a']],
  ['group-lock', ['a', 'redisson_lock__channel:{a}']],
  ['semaphore', ['a', 'redisson_sc:{a}']],
  ['expirable-semaphore', ['a', '{a}:timeout', 'redisson_sc:{a}']],
  ['latch', ['a', 'redisson_countdownlatch__channel__{a}']],
  ['token-lock', ['a']],
] as const)('the keys and channels of a %s are listed', async (kind, keys) => {
  const eventStore = eventStoreOf(acquired(1, 0, { kind }));
  const detail = await eventStore.answers.detail(lockNow(eventStore, 'redis/0/a'));
  expect(detail?.keys.map(({ key }) => key)).toEqual(keys);
});
