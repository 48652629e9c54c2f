import { expect, test } from 'vitest';
import { holderId, lockChannel, newRequestId, suffixName, unlockLatch } from './names.ts';

test('a plain name is put into a hash tag', () => {
  expect(lockChannel('orders:42')).toBe('redisson_lock__channel:{orders:42}');
  expect(unlockLatch('orders:42', 'ab')).toBe('redisson_unlock_latch:{orders:42}:ab');
  expect(suffixName('orders:42', 'timeout')).toBe('{orders:42}:timeout');
});

test('a name with an opening brace is not put into a hash tag', () => {
  expect(lockChannel('tenant:{42}:orders')).toBe('redisson_lock__channel:tenant:{42}:orders');
  expect(unlockLatch('tenant:{42}', 'ab')).toBe('redisson_unlock_latch:tenant:{42}:ab');
  expect(suffixName('tenant:{42}', 'timeout')).toBe('tenant:{42}:timeout');
  expect(lockChannel('half{open')).toBe('redisson_lock__channel:half{open');
});

test('a closing brace alone is not a hash tag', () => {
  expect(lockChannel('half}closed')).toBe('redisson_lock__channel:{half}closed}');
});

test('a request id has 32 hex digits, and two ids differ', () => {
  expect(newRequestId()).toMatch(/^[0-9a-f]{32}$/);
  expect(newRequestId()).not.toBe(newRequestId());
});

test('a holder id is uuid and thread', () => {
  expect(holderId('u-1', 3)).toBe('u-1:3');
});
