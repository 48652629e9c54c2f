import { describe, expect, test } from 'vitest';
import { redisTime } from '../base/time.ts';
import type { LockEvent } from '../events/event.ts';
import { LetterTracker, letterAt } from './letters.ts';
import type { LockState } from './lock-state.ts';
import { reduceLock } from './reduce.ts';

let seq = 0;
const base = (lock = 'a') => {
  const at = redisTime(1_795_000_000_000_000 + ++seq);
  return { seq, at, source: 'redis', db: 0, lock, kind: 'lock', certainty: 'observed' } as const;
};
const acquired = (holder: string): LockEvent => ({ ...base(), type: 'lock.acquired', holder, mode: 'exclusive' });
const released = (holder: string): LockEvent => ({
  ...{ ...base(), type: 'lock.released', holder, mode: 'exclusive', holdCount: 0 },
});
const refused = (holder: string): LockEvent => ({
  ...{ ...base(), type: 'lock.refused', holder, mode: 'exclusive', ttlMs: 1, attempt: 2, asleep: true },
});
const found = (...holders: string[]): LockEvent => ({
  ...{ ...base(), type: 'lock.found', holders: holders.map((holder) => ({ holder, holdCount: 1, mode: 'read' })) },
});

/** A lock whose events get their letters from a tracker. */
function lettered() {
  const tracker = new LetterTracker();
  let lock: LockState | undefined;
  const take = (event: LockEvent) => {
    lock = reduceLock(lock, tracker.named(event, 'id', lock));
    return Object.fromEntries([...lock.holders, ...lock.waiters].map(({ id, letter }) => [id, letter]));
  };
  return { tracker, take };
}

test('the letter after Z is AA', () => {
  expect([0, 1, 25, 26, 27, 51, 52, 701, 702].map(letterAt)).toEqual([
    'A',
    'B',
    'Z',
    'AA',
    'AB',
    'AZ',
    'BA',
    'ZZ',
    'AAA',
  ]);
});

describe('[V6] letters of holders and waiters', () => {
  test('[V6] a letter is given in order of appearance, to a holder, a waiter or a refused thread, and kept', () => {
    const { take } = lettered();
    expect(take(acquired('x'))).toEqual({ x: 'A' });
    expect(take(refused('y'))).toEqual({ x: 'A', y: 'B' });
    expect(take(released('x'))).toEqual({ y: 'B' });
    expect(take(acquired('z'))).toEqual({ y: 'B', z: 'C' });
    take(released('z'));
    expect(take(acquired('x'))).toEqual({ y: 'B', x: 'A' });
  });

  test('[V6] a letter is given to each holder that a read finds', () => {
    const { take } = lettered();
    expect(take(found('x', 'y', '__proto__', 'constructor'))).toEqual(
      Object.fromEntries([
        ['x', 'A'],
        ['y', 'B'],
        ['__proto__', 'C'],
        ['constructor', 'D'],
      ]),
    );
    expect(take(refused('toString'))).toMatchObject({ x: 'A', toString: 'E' });
  });

  test('[V6] a letter is not given twice, even to 1,500 waiters, and a holder keeps its own letter', () => {
    const { take } = lettered();
    take(acquired('x'));
    const letters = new Set<string | undefined>();
    for (let n = 0; n < 1500; n++) {
      const now = take(refused(`waiter ${n}`));
      if (now[`waiter ${n}`] !== undefined) letters.add(now[`waiter ${n}`]);
      expect(now.x).toBe('A');
    }
    expect(letters.size).toBe(1000);
    expect(letters.has('A')).toBe(false);
    expect(take({ ...acquired('x'), type: 'lock.reentered' } as LockEvent).x).toBe('A');
  });

  test('[V6] letters begin at A again after the lock was forgotten', () => {
    const { tracker, take } = lettered();
    take(acquired('x'));
    take(released('x'));
    tracker.forget('id');
    expect(take(acquired('y'))).toEqual({ y: 'A' });
  });
});

test('[V6] a letter that was dropped to make room is not given again, and other letters are kept', () => {
  const tracker = new LetterTracker();
  const letterAtLock = (id: string, holder: string) => tracker.named(acquired(holder), id, undefined).letter;
  expect([letterAtLock('first', 'x'), letterAtLock('second', 'x'), letterAtLock('second', 'y')]).toEqual([
    'A',
    'A',
    'B',
  ]);
  for (let n = 0; n < 47_000; n++) letterAtLock(`lock ${n}`, 'x');
  letterAtLock('second', 'x');
  for (let n = 47_000; n < 49_998; n++) letterAtLock(`lock ${n}`, 'x');
  expect(tracker.given('first')).toEqual({ id: 'first', next: 1, people: [] });
  expect(tracker.given('second')).toEqual({
    id: 'second',
    next: 2,
    people: [
      ['y', 'B'],
      ['x', 'A'],
    ],
  });
  expect([letterAtLock('first', 'y'), letterAtLock('lock 49997', 'x')]).toEqual(['B', 'A']);
});

test('[V6] letters continue after a restart', () => {
  const before = new LetterTracker();
  for (const holder of ['x', 'y', 'z']) before.named(acquired(holder), holder === 'x' ? 'one' : 'two', undefined);
  const after = new LetterTracker();
  for (const id of ['one', 'two', 'none']) {
    const given = before.given(id);
    if (given) after.restore(given);
  }
  const letters = [
    ['one', 'x'],
    ['one', 'y'],
    ['two', 'z'],
    ['two', 'w'],
  ].map(([id = '', holder = '']) => after.named(acquired(holder), id, undefined).letter);
  expect(letters).toEqual(['A', 'B', 'B', 'C']);
});

test('an event that names no holder gets no letter', () => {
  const event: LockEvent = { ...base(''), type: 'blind-spot.began', reason: 'connection-lost' };
  expect(new LetterTracker().named(event, 'id', undefined)).toBe(event);
});
