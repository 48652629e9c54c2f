import { expect, test } from 'vitest';
import { circleAmong, hasOlderSleeper, WaitCircles, type WantedLock } from './wait-circles.ts';

/** A lock held by `holder`, with sleeping waiters. */
function held(holder: string, ...waiters: string[]): WantedLock {
  return {
    holders: [{ id: holder, mode: 'exclusive' }],
    holdersBeyond: 0,
    waiters: waiters.map((id) => ({ id, since: 5, isAsleep: true, presumedGoneAt: null })),
  };
}

function circlesOf(locks: Record<string, WantedLock>): string[] {
  const circles = new WaitCircles();
  for (const [key, lock] of Object.entries(locks)) circles.take(key, lock, 'redis-1');
  return circles.all().map((steps) => steps.map(({ holder, wants }) => `${holder}>${wants}`).join(' '));
}

test('two threads that wait for each other’s lock are a circle, which begins with the first id', () => {
  expect(circlesOf({ y: held('b', 'a'), x: held('a', 'b') })).toEqual(['a>y b>x']);
});

test('a chain is not a circle, and a thread in front of a circle does not belong to it', () => {
  expect(circlesOf({ x: held('a', 'b'), y: held('b', 'c') })).toEqual([]);
  expect(circlesOf({ x: held('b', '0', 'c'), y: held('c', 'b') })).toEqual(['b>y c>x']);
});

test('each of two separate circles of waiting threads is found once', () => {
  const two = { x: held('a', 'b'), y: held('b', 'a'), u: held('c', 'd'), v: held('d', 'e'), w: held('e', 'c') };
  expect(circlesOf(two)).toEqual(['a>y b>x', 'c>w e>v d>u']);
});

test('a thread that waits for its own hold is a circle by itself', () => {
  expect(circlesOf({ x: held('a', 'a') })).toEqual(['a>x']);
});

test('two readers that both wait to write are two circles: neither goes on if only the other reader ends', () => {
  const readers = ['a', 'b'].map((id) => ({ id, mode: 'read' as const }));
  expect(circlesOf({ x: { ...held('a', 'a', 'b'), holders: readers } })).toEqual(['a>x', 'b>x']);
});

test('a waiter that is awake or presumed gone, and a lock with several holders, close no circle', () => {
  const awake = { ...held('b'), waiters: [{ id: 'a', since: 5, isAsleep: false, presumedGoneAt: null }] };
  const gone = { ...held('b'), waiters: [{ id: 'a', since: 5, isAsleep: true, presumedGoneAt: 1 }] };
  const shared = { ...held('b', 'a'), holdersBeyond: 1 };
  for (const y of [awake, gone, shared]) expect(circlesOf({ x: held('a', 'b'), y })).toEqual([]);
});

test('a wait that began before the given instant closes no circle', () => {
  const circles = new WaitCircles();
  circles.take('x', held('a', 'b'), 'redis-1', 5);
  circles.take('y', held('b', 'a'), 'redis-1', 6);
  expect(circles.all()).toEqual([]);
  expect([5, 6].map((since) => hasOlderSleeper(held('a', 'b'), since))).toEqual([false, true]);
});

test('a permit closes no circle, because any thread may return it', () => {
  const permit = { ...held('a', 'a'), holders: [{ id: 'a', mode: 'permit' as const }] };
  expect(circlesOf({ x: permit })).toEqual([]);
});

/** A read-write lock that these threads read, with writers that wait. */
function read(readers: readonly string[], ...writers: string[]): WantedLock {
  const waiters = writers.map((id) => ({ id, mode: 'write' as const, since: 5, isAsleep: true, presumedGoneAt: null }));
  return { holders: readers.map((id) => ({ id, mode: 'read' })), holdersBeyond: 0, waiters };
}

test('a writer waits for all readers, so each reader can close a circle, and so can the writer', () => {
  expect(circlesOf({ x: read(['a', 'b'], 'w'), y: held('w', 'b') })).toEqual(['b>y w>x']);
  expect(circlesOf({ x: { ...read(['a', 'b'], 'w'), holdersBeyond: 7 }, y: held('w', 'b') })).toEqual(['b>y w>x']);
  expect(circlesOf({ x: read(['a', 'w'], 'w') })).toEqual(['w>x']);
  const waiters = [{ id: 'b', mode: 'read' as const, since: 5, isAsleep: true, presumedGoneAt: null }];
  expect(circlesOf({ x: { ...read(['a']), waiters }, y: held('b', 'a') })).toEqual([]);
});

test('if circles share a thread, a shortest circle through the first thread is shown', () => {
  const both = { x: read(['b', 'c'], 'a'), y: held('a', 'b'), z: held('b', 'c') };
  expect(circlesOf(both)).toEqual(['a>x b>y']);
});

test('a thread can sleep in one place only: its newest wait is used, unless it acquired a lock since', () => {
  const at = (since: number, lock: WantedLock) => ({
    ...lock,
    waiters: lock.waiters.map((each) => ({ ...each, since })),
  });
  expect(circlesOf({ x: at(5, held('a', 'b')), y: at(5, held('b', 'a')), z: at(6, held('c', 'a')) })).toEqual([]);
  expect(circlesOf({ z: at(4, held('c', 'a')), x: at(5, held('a', 'b')), y: at(5, held('b', 'a')) })).toEqual([
    'a>y b>x',
  ]);
  const later: WantedLock = { ...held('a'), holders: [{ id: 'a', mode: 'exclusive', since: 7 }] };
  expect(circlesOf({ x: at(5, held('a', 'b')), y: at(5, held('b', 'a')), later })).toEqual([]);
});

test('a circle over two servers is found although their clocks differ by up to 100 ms', () => {
  const since = (id: string, at: number, waiter: string) => ({
    ...held(id, waiter),
    holders: [{ id, mode: 'exclusive' as const, since: at }],
  });
  const circleIf = (acquiredAt: number, clock: string) => {
    const circles = new WaitCircles();
    circles.take('x', held('b', 'a'), 'redis-1');
    circles.take('y', since('a', acquiredAt, 'b'), clock);
    return circles.all().length > 0;
  };
  expect(circleIf(5, 'redis-1')).toBe(true);
  expect(circleIf(90_000, 'redis-1')).toBe(false);
  expect(circleIf(90_000, 'redis-2')).toBe(true);
  expect(circleIf(200_000, 'redis-2')).toBe(false);
});

test('a chain of 20,000 threads is searched within the time limit of a test, and is not a circle', () => {
  const locks = Array.from({ length: 20_000 }, (_, n) => [`l${n}`, held(`t${n}`, `t${n + 1}`)] as const);
  expect(circleAmong(locks)).toBeNull();
});
