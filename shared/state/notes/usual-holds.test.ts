import { expect, test } from 'vitest';
import { lockAt } from '../../../testing/stories/lock-at.ts';
import { seconds, story } from '../../../testing/stories/story.ts';
import { usualHold } from './usual-holds.ts';

const hold = (from: number, s: number) => `${from}.000 A attempts acquired\n${(from + s).toFixed(3)} A releases`;
const after = (...lines: string[]) => lockAt(story(`orders:42 lease 30s\n${lines.join('\n')}`), seconds(1000));

test('the usual length of a hold is the median of the newest nine holds, once five were seen', () => {
  const lengths = [9, 0.1, 0.2, 0.3, 0.4];
  expect(usualHold(after(...lengths.slice(0, 4).map((s, n) => hold(n * 10, s))))).toBeNull();
  expect(usualHold(after(...lengths.map((s, n) => hold(n * 10, s))))).toEqual({ ms: 300, holds: 5 });
  const many = Array.from({ length: 20 }, (_, n) => hold(n * 10, n < 11 ? 5 : 0.5));
  expect(usualHold(after(...many))).toEqual({ ms: 500, holds: 9 });
});

test('a hold that expired, or whose beginning was not seen, is not counted in the usual length', () => {
  const expired = '0.000 A attempts acquired\n40.000 B attempts acquired';
  expect(after(expired).notes?.recentHolds).toBeUndefined();
  expect(after('0.500 redis snapshot A×1 20000ms', '1.000 A releases').notes?.recentHolds).toBeUndefined();
});

test('a lock is listened to from the SUBSCRIBE of a connection until its UNSUBSCRIBE', () => {
  const listened = ['0.000 A attempts acquired', '1.000 B attempts refused', '2.000 B subscribes'];
  expect(after(...listened).listenedSince).toBe(seconds(2));
  expect(after(...listened, '3.000 B unsubscribes').listenedSince).toBeUndefined();
});
