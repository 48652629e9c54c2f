import { expect, test } from 'vitest';
import { tokenLockFrom } from './token-found.ts';

const UUID = '8279ce07-f671-4709-8a94-acb7da58f829';
const UUID1_HEX = '8b6ead8ee54611f18a0402fc00000001';

test.each([
  ['job-lock:default:nightly', `ADDED:2026-11-21T01:14:54.552Z@vm:${UUID}`, { library: 'shedlock', isSure: true }],
  ['redlock:orders', UUID, { library: undefined, isSure: true }],
  ['bull:mail:17:lock', `${UUID}:3`, { library: 'bullmq', isSure: false }],
  ['bull:mail:17:lock', 'token-1', { library: 'bullmq', isSure: false }],
  ['app-locks:orders', UUID, { library: undefined, isSure: false }],
  ['lock:orders', UUID1_HEX, { library: 'redis-py', isSure: false }],
  ['framework_lock', 'q8Lh2pWnXz41aaaa', { library: undefined, isSure: false }],
  ['lock:nightly', 'worker-1-a1b2c3', { library: undefined, isSure: false }],
  ['job-lock:default:nightly', 'ADDED:2025-01-21T01:03:56.654Z@app-1', { library: 'shedlock', isSure: true }],
  ['x:laravel_unique_job:SendReport:42', 'q8Lh2pWnXz41aaaa', { library: 'laravel', isSure: true }],
  ['Order_Lock', UUID, { library: undefined, isSure: false }],
  ['RedisMutex:orders', UUID, { library: undefined, isSure: false }],
  ['orders:lock', 'qtzUgOvQEfGIhD8fenVs3g==', { library: 'warlock', isSure: false }],
  ['lock:orders', 'qtzUgOvQEfGIhD8fenVs3g==', { library: undefined, isSure: false }],
  ['orders:lock', '+4m8Pu6MA131M9cXTOXADQ==', { library: 'redsync', isSure: false }],
  ['ordersLock', 'd14d167a847171a0e60d1e858687fe25', { library: undefined, isSure: false }],
  ['lock:orders', `s:36:"${UUID}";`, { library: undefined, isSure: false }],
])('the key %s with the value %j is a lock', (name, value, lock) => {
  expect(tokenLockFrom(name, value, true, false)).toEqual(lock);
});

test.each([
  ['orders:42', UUID1_HEX],
  ['session:9', UUID],
  ['block:17', UUID],
  ['clock:17', UUID],
  ['bq:mail:stallBlock', UUID],
  ['lock:orders', '17'],
  ['lock:orders', 'true'],
  ['lock:settings', '{"door":"shut","since":1700000000}'],
  ['lock:text', 'somebody has the key to room 1 2 3'],
  ['redisson_lock_token:{a}', '12'],
  ['redisson_unlock_latch:{a}:0123456789abcdef0123456789abcdef', '1'],
])('the key %s with the value %j is not a lock', (name, value) => {
  expect(tokenLockFrom(name, value, true, false)).toBeUndefined();
});

test('[T7] a key without a lease is a lock only if it has a token and the name of a lock', () => {
  expect(tokenLockFrom('lock:orders', UUID1_HEX, false, false)).toEqual({ library: 'redis-py', isSure: false });
  expect(tokenLockFrom('lock:orders', 'q8Lh2pWnXz41aaaa', false, false)).toEqual({ library: undefined, isSure: false });
  expect(tokenLockFrom('lock:orders', 'web-1', false, false)).toBeUndefined();
  expect(tokenLockFrom('orders', 'q8Lh2pWnXz41aaaa', false, false)).toBeUndefined();
  expect(tokenLockFrom('framework/schedule-b0cfe7', 'q8Lh2pWnXz41', true, false)).toEqual({
    ...{ library: 'laravel', isSure: true },
  });
});

test('a random word is not taken for a uuid of version 1, because the time in it is far from the present', () => {
  for (const word of ['8b6ead8ee54615f18a0402fc00000001', '8b6ead8ee54611008a0402fc00000001']) {
    expect(tokenLockFrom('lock:orders', word, true, false)).toEqual({ library: undefined, isSure: false });
  }
});

test('[T7] a word in a key that the user named is a lock, but a number or a text is not', () => {
  expect(tokenLockFrom('mutex:1', 'worker-1', true, true)).toEqual({ library: undefined, isSure: false });
  expect(tokenLockFrom('orders:42', 'worker-1', true, true)).toEqual({ library: undefined, isSure: false });
  expect(tokenLockFrom('orders:42', 'worker-1', false, true)).toBeUndefined();
  expect(tokenLockFrom('orders:42', '17', true, true)).toBeUndefined();
  expect(tokenLockFrom('orders:42', '{"id":17}', true, true)).toBeUndefined();
});
