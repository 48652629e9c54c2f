import { expect, test } from 'vitest';
import { pubsubLimit } from './output-limit.ts';

test.each([
  ['normal 0 0 0 slave 268435456 67108864 60 pubsub 33554432 8388608 60', 33_554_432],
  ['normal 0 0 0 slave 268435456 67108864 60 pubsub 0 0 0', 0],
  ['pubsub 33554432 1048576 60', 4_194_304], // four times the soft limit
  ['pubsub 0 1048576 60', 4_194_304],
  ['pubsub 33554432 0 0 normal 0 0 0', 33_554_432],
])('the output limit of subscribers is read from "%s"', (setting, limit) => {
  expect(pubsubLimit(setting)).toBe(limit);
});

test.each(['', 'normal 0 0 0', 'pubsub', 'pubsub a b c'])('"%s" has no output limit that can be read', (setting) => {
  expect(pubsubLimit(setting)).toBeNull();
});
