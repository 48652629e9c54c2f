import { expect, test } from 'vitest';
import { lockAt } from '../../../testing/stories/lock-at.ts';
import { seconds, story, waitsAt } from '../../../testing/stories/story.ts';
import { waitingFor } from '../lock-state.ts';
import { refusedAgain } from './refused-again.ts';

/** A lock that A holds, and lines about it in any order; its state `at` seconds into the story. */
function heldLock(at: number, ...lines: string[]) {
  const held = ['0.000 A attempts acquired', ...lines.flatMap((line) => line.trim().split('\n'))];
  const inOrder = held.sort((a, b) => Number.parseFloat(a.trim()) - Number.parseFloat(b.trim()));
  return lockAt(story(['orders:42 lease 600s', ...inOrder].join('\n')), seconds(at));
}

/** `count` refused attempts of a thread, with the same pause between them. */
function attempts(actor: string, from: number, pause: number, count: number): string {
  return Array.from({ length: count }, (_, n) => `${(from + n * pause).toFixed(3)} ${actor} attempts refused`).join(
    '\n',
  );
}

/** When the last line of an attempt at that second arrives: its script has three commands, a microsecond each. */
const attemptAt = (at: number) => seconds(at + 0.000_003);

test('[W20] threads that call tryLock() in a loop are counted with their attempts, and are not waiters', () => {
  const lock = heldLock(60, attempts('B', 1, 0.1, 500), attempts('B2', 2, 0.1, 500));
  const lastAt = attemptAt(51.9);
  const both = { threads: 2, attempts: 1000, since: attemptAt(1), oftenSince: attemptAt(1), lastAt };
  expect(refusedAgain(lock.waiters, seconds(60))).toEqual(both);
  expect(waitingFor(lock)).toBe(0);
});

test('[W20] a series of refused attempts that stopped more than 10 s ago is not reported', () => {
  const { waiters } = heldLock(20, attempts('B', 1, 0.1, 50), attempts('C', 1, 0.1, 60));
  const seenAt = (at: number) => refusedAgain(waiters, seconds(at))?.attempts;
  expect([seenAt(15.9), seenAt(16.5), seenAt(17)]).toEqual([110, 60, undefined]);
});

test('[W20] a thread refused once a second is counted without `oftenSince`, and one refused once a minute is not counted', () => {
  const { waiters } = heldLock(301, attempts('B', 1, 1, 300), attempts('C', 2, 59, 6));
  const each = { threads: 1, attempts: 300, since: attemptAt(1), lastAt: attemptAt(300) };
  expect(refusedAgain(waiters, seconds(300))).toEqual(each);
});

test('[W20] two refused attempts are not a series, and after an acquisition the count begins again', () => {
  expect(refusedAgain(heldLock(5, attempts('B', 1, 1, 2)).waiters, seconds(5))).toBe(undefined);
  const free = ['5.000 A releases', '5.100 B attempts acquired', '6.000 B releases', '6.500 A attempts acquired'];
  const { waiters } = heldLock(20, attempts('B', 1, 1, 4), ...free, attempts('B', 7, 1, 3));
  expect(refusedAgain(waiters, seconds(10))).toMatchObject({ attempts: 3, since: attemptAt(7) });
});

test('[W20] a thread that waits is a waiter, and its attempts are not counted', () => {
  const lock = heldLock(20, attempts('B', 1, 1, 4), waitsAt('B', 6));
  expect(refusedAgain(lock.waiters, seconds(7))).toBe(undefined);
  expect(waitingFor(lock)).toBe(1);
});
