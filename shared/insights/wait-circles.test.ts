import { expect, test } from 'vitest';
import { circleAmong, WaitCircles, type WantedLock } from './wait-circles.ts';

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
  for (const [key, lock] of Object.entries(locks)) circles.take(key, lock);
  return circles.all().map((steps) => steps.map(({ holder, wants }) => `${holder}>${wants}`).join(' '));
}

test('two threads that want each other’s lock are a circle, which begins with the first id', () => {
  expect(circlesOf({ y: held('b', 'a'), x: held('a', 'b') })).toEqual(['a>y b>x']);
});

test('a chain is not a circle, and a thread in front of a circle does not belong to it', () => {
  expect(circlesOf({ x: held('a', 'b'), y: held('b', 'c') })).toEqual([]);
  expect(circlesOf({ x: held('b', '0', 'c'), y: held('c', 'b') })).toEqual(['b>y c>x']);
});

test('every circle is found once', () => {
  const two = { x: held('a', 'b'), y: held('b', 'a'), u: held('c', 'd'), v: held('d', 'e'), w: held('e', 'c') };
  expect(circlesOf(two)).toEqual(['a>y b>x', 'c>w e>v d>u']);
});

test('a thread that waits for its own hold is a circle by itself', () => {
  expect(circlesOf({ x: held('a', 'a') })).toEqual(['a>x']);
});

test('a waiter that is awake or presumed gone, and a lock with several holders, do not count', () => {
  const awake = { ...held('b'), waiters: [{ id: 'a', since: 5, isAsleep: false, presumedGoneAt: null }] };
  const gone = { ...held('b'), waiters: [{ id: 'a', since: 5, isAsleep: true, presumedGoneAt: 1 }] };
  const shared = { ...held('b', 'a'), holdersBeyond: 1 };
  for (const y of [awake, gone, shared]) expect(circlesOf({ x: held('a', 'b'), y })).toEqual([]);
});

test('a wait that began too early is left out, which is reported', () => {
  const circles = new WaitCircles();
  expect([circles.take('x', held('a', 'b'), 5), circles.take('y', held('b', 'a'), 6)]).toEqual([false, true]);
  expect(circles.all()).toEqual([]);
});

test('a permit does not count: any thread may give it back', () => {
  const permit = { ...held('a', 'a'), holders: [{ id: 'a', mode: 'permit' as const }] };
  expect(circlesOf({ x: permit })).toEqual([]);
});

test('a chain of 20,000 threads takes linear time', () => {
  const locks = Array.from({ length: 20_000 }, (_, n) => [`l${n}`, held(`t${n}`, `t${n + 1}`)] as const);
  expect(circleAmong(locks)).toBeNull();
});
