import { expect, test } from 'vitest';
import { lockAt } from '../../../testing/stories/lock-at.ts';
import { seconds, story } from '../../../testing/stories/story.ts';
import type { Lock } from './lock.ts';
import { hidesWaiters, isLate, seesAllWaiters } from './lock-facts.ts';
import { lockView, UNKNOWN } from './lock-view.ts';

const presenceOf = () => ({ name: null, presence: 'unknown', goneSince: null }) as const;
const lockOf = (text: string) => lockView(lockAt(story(text), seconds(1)), seconds(1), presenceOf);
const SEEN = lockOf('orders:42 lease 900s\n 0.000 A attempts acquired');
const FROM_BEFORE = lockOf('orders:42 lease 900s\n 0.000 redis snapshot A×1 600000');
const COUNTED = { id: 'story', level: 'monitor' as const, unseen: [] };
const UNCOUNTED = {
  ...COUNTED,
  unseen: [{ code: 'unseen-without-right', values: { loss: 'listeners' }, message: '', hint: '' }],
};

test('waiters of a lock that is or may be fair are marked as hidden while queues may not be read', () => {
  const unread = [
    { code: 'unseen-keys', values: { user: 'app', names: ['redisson_*'], grant: '' }, message: '', hint: '' },
    { code: 'unseen-without-right', values: { loss: 'companions' }, message: '', hint: '' },
  ];
  for (const each of unread) {
    const source = { ...COUNTED, unseen: [each] };
    expect(hidesWaiters({ ...SEEN, kind: 'fair-lock' }, source)).toBe('queue');
    expect(hidesWaiters(FROM_BEFORE, source)).toBe('queue');
    expect(hidesWaiters(SEEN, source)).toBeNull();
  }
  expect(hidesWaiters({ ...SEEN, kind: 'fair-lock' }, COUNTED)).toBeNull();
});

test('waiters that were not counted are hidden while the lock has been held since before watching began, and those of own locks while the lock is held', () => {
  const own = (lock: Lock): Lock => ({ ...lock, library: 'unknown' });
  expect(hidesWaiters(FROM_BEFORE, UNCOUNTED)).toBe('listeners');
  expect(hidesWaiters(FROM_BEFORE, COUNTED)).toBeNull();
  expect(hidesWaiters(SEEN, UNCOUNTED)).toBeNull();
  expect(hidesWaiters(own(SEEN), COUNTED)).toBe('own');
  expect(hidesWaiters(own({ ...SEEN, held: false, holders: [] }), COUNTED)).toBeNull();
});

test('whether waiters are hidden at a past instant depends on what could be seen then, not now', () => {
  expect(hidesWaiters(FROM_BEFORE, { lacks: ['listeners'] }, true)).toBe('listeners');
  expect(hidesWaiters({ ...SEEN, kind: 'fair-lock' }, { lacks: ['queues'] }, true)).toBe('queue');
  expect(hidesWaiters(FROM_BEFORE, { lacks: ['presence'] }, true)).toBeNull();
  expect(hidesWaiters(FROM_BEFORE, undefined, true)).toBeNull();
  expect(seesAllWaiters([FROM_BEFORE], [{ id: 'story', lacks: ['listeners'] }], true)).toBe(false);
  expect(seesAllWaiters([FROM_BEFORE], [{ id: 'other', lacks: ['listeners'] }], true)).toBe(true);
});

test('waiters of a lock that was free when watching began are hidden while connections listen for it', () => {
  const free: Lock = { ...SEEN, held: false, holders: [], subscribers: 1, certainty: 'inferred' };
  expect(hidesWaiters(free, COUNTED)).toBe('free');
  expect(hidesWaiters({ ...free, subscribers: 0 }, COUNTED)).toBeNull();
  expect(hidesWaiters({ ...free, certainty: 'observed' }, COUNTED)).toBeNull(); // a release was seen
});

test('all waiters are seen only if no lock and no source hides any', () => {
  const own: Lock = { ...SEEN, library: 'unknown' };
  const unread: Lock = { ...SEEN, held: false, unread: { since: 1, reason: 'rights' } };
  expect(seesAllWaiters([SEEN, FROM_BEFORE], [COUNTED])).toBe(true);
  expect(seesAllWaiters([SEEN, own], [COUNTED])).toBe(false);
  expect(seesAllWaiters([SEEN, unread], [COUNTED])).toBe(false);
  expect(seesAllWaiters([SEEN, FROM_BEFORE], [UNCOUNTED])).toBe(false);
  expect(seesAllWaiters([], [COUNTED, { ...COUNTED, id: 'other', level: 'events' }])).toBe(false);
  expect(seesAllWaiters([SEEN], [{ ...COUNTED, level: 'events' }], true)).toBe(true); // at a past instant at level monitor
  expect(seesAllWaiters([own], [COUNTED], true)).toBe(false);
  expect(seesAllWaiters([SEEN], [COUNTED], false)).toBe(false);
});

test('a waiter is late 2 s after its own timer ended or its only attempt, unless its lock is not watched', () => {
  const waiting = `orders:42 lease 6s
    0.000  A attempts acquired
    1.000  B attempts refused
    1.001  B subscribes`;
  const late = (text: string, at: number, more: Pick<Lock, 'unwatchedSince'> = {}) => {
    const lock = { ...lockView(lockAt(story(text), seconds(at)), seconds(at), () => UNKNOWN), ...more };
    return lock.waiters.map((each) => isLate(each, lock, seconds(at)));
  };
  expect(late(waiting, 2.9)).toEqual([false]);
  expect(late(waiting, 3.1)).toEqual([true]);
  expect(late(`${waiting}\n 1.002 B attempts refused`, 7.9)).toEqual([false]);
  expect(late(`${waiting}\n 1.002 B attempts refused`, 8.1)).toEqual([true]);
  expect(late(`${waiting}\n 1.002 B attempts refused`, 8.1, { unwatchedSince: seconds(5) })).toEqual([false]);
});
