import { expect, test } from 'vitest';
import { commonSlots, hasSlot, keySlot, slotsWithout } from './key-slot.ts';

test('a key has the slot of the Redis Cluster specification, also with hash tags', () => {
  expect(keySlot('orders:42')).toBe(11_414); // shared/traces/servers/cluster-7.0.15
  expect(keySlot('redisson_lock__channel:{orders:42}')).toBe(11_414);
  expect(keySlot('123456789')).toBe(12_739); // the example of the specification
  expect(keySlot('foo{}{bar}')).not.toBe(keySlot('bar')); // an empty tag does not count
  expect(keySlot('foo{{bar}}zap')).toBe(keySlot('{bar'));
  expect(keySlot('foo{bar}{zap}')).toBe(keySlot('bar'));
  expect(keySlot('')).toBe(0);
});

test('a shard has a slot within its ranges, and not a slot between them', () => {
  expect(
    hasSlot(
      [
        [0, 5],
        [10, 10],
      ],
      10,
    ),
  ).toBe(true);
  expect(
    hasSlot(
      [
        [0, 5],
        [10, 10],
      ],
      7,
    ),
  ).toBe(false);
});

test('common slots are counted, and slots can be subtracted', () => {
  const [some, others] = [
    [
      [0, 99],
      [200, 200],
    ],
    [
      [50, 60],
      [90, 300],
    ],
  ] as const;
  expect(commonSlots(some, others)).toBe(22);
  expect(slotsWithout(some, others)).toEqual([
    [0, 49],
    [61, 89],
  ]);
  expect(slotsWithout(some, [])).toEqual(some);
  expect(slotsWithout(some, [[0, 16_383]])).toEqual([]);
});
