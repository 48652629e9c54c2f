import { expect, test } from 'vitest';
import { RedisError, type Reply, TooLong } from './reply.ts';
import { isTransaction } from './transaction.ts';

const MOVED = new RedisError('MOVED 1 10.0.0.2:7002');
const ABORTED = new RedisError('EXECABORT Transaction discarded because of previous errors.');

test.each<[string, Reply[], boolean]>([
  ['all queued', ['OK', 'QUEUED', 'QUEUED', ['OK', 'hash']], true],
  ['a result too long to keep', ['OK', 'QUEUED', new TooLong(20_000_000)], true],
  ['one command refused', ['OK', 'QUEUED', MOVED, ABORTED], true],
  ['EXEC is null', ['OK', 'QUEUED', null], true],
  ['fewer results than commands', ['OK', 'QUEUED', 'QUEUED', ['OK']], false],
  ['one reply is missing', ['QUEUED', 'QUEUED', ['OK', 'hash'], 'OK'], false],
  ['no reply is QUEUED', ['OK', 'none', [], new RedisError('ERR EXEC without MULTI')], false],
])('replies are recognised as those of a transaction, or not: %s, %j', (_, replies, expected) => {
  expect(isTransaction(replies)).toBe(expected);
});
