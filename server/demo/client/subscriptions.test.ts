import { expect, test } from 'vitest';
import { wakesOf } from './subscriptions.ts';

test('the number of waiters that a message wakes depends on channel and message', () => {
  expect(wakesOf('redisson_lock__channel:{a}', '0')).toBe(1);
  expect(wakesOf('redisson_lock__channel:{a}:6b1c:7', '0')).toBe(1);
  expect(wakesOf('redisson_lock__channel:{a}', 'hello')).toBe('nobody');
  expect(wakesOf('redisson_rwlock:{a}', '0')).toBe(1);
  expect(wakesOf('redisson_rwlock:{a}', '1')).toBe('all');
  expect(wakesOf('redisson_sc:{a}', '3')).toBe(3);
  expect(wakesOf('redisson_countdownlatch__channel__{a}', '0')).toBe('all');
  expect(wakesOf('redisson_countdownlatch__channel__{a}', '1')).toBe('nobody');
});
