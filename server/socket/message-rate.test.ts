import { expect, test } from 'vitest';
import { MessageRate } from './message-rate.ts';

test('of 300 messages at once, 200 are allowed', () => {
  const rate = new MessageRate(0);
  const taken = (now: number, times: number) => Array.from({ length: times }, () => rate.take(now)).filter(Boolean);
  expect(taken(0, 300)).toHaveLength(200);
});

test('a connection may send 20 messages each second for 500 s', () => {
  const rate = new MessageRate(0);
  for (let n = 0; n < 10_000; n += 1) expect(rate.take(n * 50)).toBe(true);
});
