import { expect, test } from 'vitest';
import { hasSlot, keySlot } from './key-slot.ts';

test('slots as a cluster told them', () => {
  expect(keySlot('orders:42')).toBe(11_414); // shared/traces/servers/cluster-7.0.15
  expect(keySlot('redisson_lock__channel:{orders:42}')).toBe(11_414);
  expect(keySlot('123456789')).toBe(12_739); // the specification's own example
  expect(keySlot('foo{}{bar}')).not.toBe(keySlot('bar')); // an empty tag is none
  expect(keySlot('foo{{bar}}zap')).toBe(keySlot('{bar'));
  expect(keySlot('foo{bar}{zap}')).toBe(keySlot('bar'));
  expect(keySlot('')).toBe(0);
});

test('slots of a shard are in runs', () => {
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
