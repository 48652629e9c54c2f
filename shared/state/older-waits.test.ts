import { expect, test } from 'vitest';
import { lockAt } from '../../testing/stories/lock-at.ts';
import { seconds, story } from '../../testing/stories/story.ts';

const older = (text: string) =>
  lockAt(story(`orders:42 lease 30s\n${text}`), seconds(1000)).waiters.map(({ isOlder }) => isOlder === true);

test('the wait of a thread that was asleep before watching began is older than its first attempt that was seen', () => {
  const before = '0.000 redis snapshot A×1 30000ms 1\n10.000 A renews\n25.000 B attempts refused';
  expect(older(before)).toEqual([true]);
  expect(older(`${before}\n40.002 B attempts refused`)).toEqual([true]);
});

test('a thread that subscribes, or attempts again at once, began to wait with its first attempt', () => {
  const before = '0.000 redis snapshot A×1 30000ms 1';
  expect(older(`${before}\n1.000 C attempts refused\n1.001 C subscribes\n1.002 C attempts refused`)).toEqual([false]);
  expect(older(`${before}\n1.000 B2 attempts refused\n1.002 B2 attempts refused`)).toEqual([false]);
});
