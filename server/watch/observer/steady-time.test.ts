import { expect, test } from 'vitest';
import { redisTime } from '../../../shared/base/time.ts';
import { SteadyTime } from './steady-time.ts';

function timesOf(...measured: number[]): number[] {
  const time = new SteadyTime();
  return measured.map((ms) => time.from(redisTime(ms * 1000)) / 1000);
}

test('a correction of less than a second makes the time stand still until it has caught up', () => {
  expect(timesOf(10_000, 10_200, 10_150, 10_190, 10_240)).toEqual([10_000, 10_200, 10_200, 10_200, 10_240]);
});

test('a clock that was set back by a second or more is followed at once', () => {
  expect(timesOf(10_000, 9_000, 9_100)).toEqual([10_000, 9_000, 9_100]);
});
