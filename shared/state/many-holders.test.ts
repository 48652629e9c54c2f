import { expect, test } from 'vitest';
import { plusMillis, redisTime } from '../base/time.ts';
import type { LockEvent } from '../events/event.ts';
import { lockView, UNKNOWN_PRESENCE } from '../wire/locks/lock-view.ts';
import { type LockState, MOST_HOLDERS, MOST_WAITERS } from './lock-state.ts';
import { reduceLock } from './reduce.ts';

const MANY = 3000;
const START = redisTime(1_795_000_000_000_000);

let seq = 0;
function event(kind: LockEvent['kind'], part: Record<string, unknown>): LockEvent {
  seq++;
  const common = { seq, at: plusMillis(START, seq), source: 'redis', db: 0, lock: 'orders:42', certainty: 'observed' };
  return { ...common, kind, ...part } as LockEvent; // each caller passes the fields of the type
}

function reduced(events: readonly LockEvent[], before?: LockState): LockState {
  const lock = events.reduce<LockState | undefined>(reduceLock, before);
  if (!lock) throw new Error('no events');
  return lock;
}

const upTo = (count: number) => Array.from({ length: count }, (_, n) => n);
const counts = ({ holders, holdersBeyond }: LockState) => [holders.length, holdersBeyond];
const viewOf = (lock: LockState) => lockView(lock, lock.changedAt, UNKNOWN_PRESENCE);

/** Takes one permit of an expirable semaphore. */
const permit = (n: number) =>
  event('expirable-semaphore', {
    type: 'permits.acquired',
    holder: 'a client',
    permits: 1,
    permitIds: [`id ${n}`],
    available: MANY - n - 1,
    total: MANY,
  });
const back = (id: string) =>
  event('expirable-semaphore', { type: 'permits.released', permits: 1, permitIds: [id], holder: 'a client' });

const reader = (n: number) => ({ holder: `0d5d9d1c-5c12-4b4c-9d1a-2b1a5e1e7f11:${n}`, mode: 'read' });
const startsReading = (n: number) => event('read-write-lock', { type: 'lock.acquired', ...reader(n), holdCount: 1 });
const stopsReading = (n: number) => event('read-write-lock', { type: 'lock.released', ...reader(n), holdCount: 0 });

test('[M9] the first 1,000 permits with ids are listed and the others counted; listed and counted ones may be released', () => {
  const lock = reduced(upTo(MANY).map(permit));
  expect(counts(lock)).toEqual([MOST_HOLDERS, MANY - MOST_HOLDERS]);
  expect(counts(reduced([back('id 0')], lock))).toEqual([MOST_HOLDERS - 1, MANY - MOST_HOLDERS]);
  expect(counts(reduced([back(`id ${MANY - 1}`)], lock))).toEqual([MOST_HOLDERS, MANY - MOST_HOLDERS - 1]);
  expect(viewOf(lock)).toMatchObject({ held: true, moreHolders: MANY - MOST_HOLDERS });
  expect(JSON.stringify(viewOf(lock)).length).toBeLessThan(500_000);
});

test('[M9] a read lists the ids it found and counts the other permits that are taken', () => {
  const deadlines = upTo(MOST_HOLDERS).map((n) => ({ id: `id ${n}`, expiresAt: null }));
  const found = { type: 'permits.set', isFound: true, available: 10, total: MANY + 10, deadlines };
  expect(counts(reduced([event('expirable-semaphore', found)]))).toEqual([MOST_HOLDERS, MANY - MOST_HOLDERS]);
});

test('[M9] a permit that a read finds has no client if it is not known who took it', () => {
  const kind = 'expirable-semaphore';
  const taken = event(kind, { type: 'permits.acquired', permits: 1, permitIds: ['id 0'] });
  const found = event(kind, { type: 'permits.set', isFound: true, deadlines: [{ id: 'id 0', expiresAt: null }] });
  expect(reduced([taken, found]).holders).toMatchObject([{ id: 'id 0', client: '', holdCount: 1 }]);
});

test('[M2] [M9] a holder that is not listed and releases permits without ids returns counted permits', () => {
  const change = (type: string, n: number, permits: number) =>
    event('semaphore', { type, holder: `10.0.0.1:${n}`, permits });
  const lock = reduced(upTo(MANY).map((n) => change('permits.acquired', n, 2)));
  expect(counts(lock)).toEqual([MOST_HOLDERS, (MANY - MOST_HOLDERS) * 2]);
  expect(counts(reduced([change('permits.released', MANY, 2)], lock))).toEqual([
    MOST_HOLDERS,
    (MANY - MOST_HOLDERS) * 2 - 2,
  ]);
  const own = reduced([change('permits.released', 0, 2)], lock);
  expect(counts(own)).toEqual([MOST_HOLDERS - 1, (MANY - MOST_HOLDERS) * 2]);
  const all = event('semaphore', { type: 'permits.released', permits: MANY * 2, available: 9, total: 9 });
  expect(counts(reduced([all], lock))).toEqual([0, 0]);
});

test('[R9] the first 1,000 readers are listed, the others counted until the last one releases', () => {
  const lock = reduced(upTo(MANY).map(startsReading));
  expect(counts(lock)).toEqual([MOST_HOLDERS, MANY - MOST_HOLDERS]);
  const beyond = reduced(upTo(MOST_HOLDERS).map(stopsReading), lock);
  expect(counts(beyond)).toEqual([0, MANY - MOST_HOLDERS]);
  expect(viewOf(beyond)).toMatchObject({ held: true, holders: [], moreHolders: MANY - MOST_HOLDERS });
  const renewed = reduced(
    [event('read-write-lock', { type: 'lease.renewed', ...reader(2000), cause: 'watchdog' })],
    beyond,
  );
  expect(counts(renewed)).toEqual([1, MANY - MOST_HOLDERS - 1]);
  const free = reduced(upTo(MANY).slice(MOST_HOLDERS).map(stopsReading), renewed);
  expect(counts(free)).toEqual([0, 0]);
  expect(viewOf(free)).toMatchObject({ held: false });
  expect(viewOf(free)).not.toHaveProperty('moreHolders');
});

test('[R9] [S1] of the readers that a read found, the first 1,000 are listed and the others counted', () => {
  const holders = upTo(MANY).map((n) => ({ ...reader(n), holdCount: 1 }));
  expect(counts(reduced([event('read-write-lock', { type: 'lock.found', holders })]))).toEqual([
    MOST_HOLDERS,
    MANY - MOST_HOLDERS,
  ]);
});

test('[W9] waiters for a permit replace clients that attempted only once if there is no room', () => {
  const refused = (n: number) => event('semaphore', { type: 'permits.refused', holder: `10.0.0.1:${n}`, permits: 1 });
  const listens = (n: number) =>
    event('semaphore', { type: 'waiter.subscribed', channel: 'sc', holder: `10.0.0.1:${n}`, subscribers: n });
  const leaves = (n: number) =>
    event('semaphore', { type: 'waiter.unsubscribed', channel: 'sc', holder: `10.0.0.1:${n}`, subscribers: 1 });
  const tried = reduced(upTo(MANY).map(refused));
  expect(tried.waiters).toHaveLength(MOST_WAITERS);
  const waiting = reduced(upTo(MANY).map(listens), tried);
  expect([waiting.waiters.length, waiting.waitersBeyond]).toEqual([MOST_WAITERS, MANY - MOST_WAITERS]);
  const listed = waiting.waiters[0]?.id.split(':')[1];
  const fewer = reduced([leaves(Number(listed)), leaves(MANY - 1)], waiting);
  expect([fewer.waiters.length, fewer.waitersBeyond]).toEqual([MOST_WAITERS - 1, MANY - MOST_WAITERS - 1]);
});
