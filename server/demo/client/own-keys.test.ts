import { expect, test } from 'vitest';
import { keysOf } from './kinds/all-kinds.ts';
import { lockChannel, prefixName, suffixName, unlockLatch } from './names.ts';
import { DEMO_PREFIX, expectOwn, ForeignCommand, isOwnKey } from './own-keys.ts';

const LOCK = `${DEMO_PREFIX}orders:42`;

test('every companion key and channel of a demo lock belongs to the demo', () => {
  const kinds = ['lock', 'fair-lock', 'fenced-lock', 'read-lock', 'expirable-semaphore', 'latch'] as const;
  const beside = [
    ...kinds.flatMap((kind) => keysOf(kind, LOCK)),
    lockChannel(LOCK),
    `${lockChannel(LOCK)}:uuid:1`,
    unlockLatch(LOCK, 'id'),
    prefixName('redisson_rwlock', LOCK),
    prefixName('redisson_sc', LOCK),
    `redisson_countdownlatch__channel__{${LOCK}}`,
    `${suffixName(LOCK, 'uuid:1')}:rwlock_timeout:1`,
  ];
  expect(beside.filter((key) => !isOwnKey(DEMO_PREFIX, key))).toEqual([]);
});

test('a key without the prefix, or with the prefix in another place, does not belong to the demo', () => {
  const foreign = ['orders:42', `x${LOCK}`, `{x}${LOCK}`, `redisson_lock_queue:{x}${LOCK}`, `other:{${LOCK}}`, '', ' '];
  expect(foreign.filter((key) => isOwnKey(DEMO_PREFIX, key))).toEqual([]);
});

test.each([
  ['FLUSHALL', []],
  ['flushdb', []],
  ['CONFIG', ['SET', 'maxmemory', '1']],
  ['SCRIPT', ['FLUSH']],
  ['KEYS', ['*']],
  ['SET', [LOCK, '1']],
  ['DEL', [LOCK, 'production:lock']],
  ['GET', ['production:value']],
  ['EVALSHA', ['sha', 2, LOCK, 'production:lock', 'argument']],
  ['PUBLISH', ['redisson_lock__channel:{production:lock}', '0']],
  ['SUBSCRIBE', ['*']],
])('%s %j is refused', (command, args) => {
  expect(() => expectOwn(DEMO_PREFIX, command, args)).toThrow(ForeignCommand);
});

test('commands on the keys of the demo are allowed', () => {
  expectOwn(DEMO_PREFIX, 'EVALSHA', ['sha', 2, LOCK, lockChannel(LOCK), 'production:lock']);
  expectOwn(DEMO_PREFIX, 'DEL', keysOf('fair-lock', LOCK));
  expectOwn('', 'GET', ['any']);
  expect(() => expectOwn('', 'FLUSHALL', [])).toThrow(ForeignCommand);
});
