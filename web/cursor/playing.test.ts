import { expect, test } from 'vitest';
import { redisTime } from '../../shared/base/time.ts';
import { movedByKey, playedTo, startOfPlay } from './playing.ts';

const FROM = redisTime(1_000_000_000);
const TO = redisTime(1_010_000_000);
const whole = { from: FROM, to: TO };

test('playing moves the cursor by the time that has passed, multiplied by the speed, up to the end', () => {
  expect(playedTo(whole, FROM, 100, 1)).toBe(FROM + 100_000);
  expect(playedTo(whole, FROM, 100, 0.1)).toBe(FROM + 10_000);
  expect(playedTo(whole, FROM, 100, 10)).toBe(FROM + 1_000_000);
  expect(playedTo(whole, redisTime(TO - 5), 100, 1)).toBe(TO);
});

test('playing starts at the cursor, or at the beginning if the cursor is at the end or before the beginning', () => {
  expect(startOfPlay(whole, redisTime(FROM + 7))).toBe(FROM + 7);
  expect(startOfPlay(whole, TO)).toBe(FROM);
  expect(startOfPlay(whole, redisTime(FROM - 1))).toBe(FROM);
});

test('keys move the cursor by a hundredth, by a tenth, or to the ends', () => {
  const at = redisTime(FROM + 5_000_000);
  expect(movedByKey(whole, at, 'ArrowRight')).toBe(FROM + 5_100_000);
  expect(movedByKey(whole, at, 'PageDown')).toBe(FROM + 4_000_000);
  expect(movedByKey(whole, at, 'Home')).toBe(FROM);
  expect(movedByKey(whole, at, 'End')).toBe(TO);
  expect(movedByKey(whole, TO, 'ArrowUp')).toBe(TO);
  expect(movedByKey(whole, at, 'j')).toBeNull();
});
