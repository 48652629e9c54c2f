import { expect, test } from 'vitest';
import { redisTime } from '../../../shared/base/time.ts';
import type { Lock } from '../../../shared/wire/locks/lock.ts';
import { UnreadLocks } from './unread-locks.ts';

const lock = { id: 'redis/0/a', name: 'a', db: 0, source: 'redis' } as Lock; // a mark reads only these fields
const a = { db: 0, name: 'a', reason: 'fields', since: redisTime(7) } as const;

test('a lock that is too large to be read is marked until it is read again', () => {
  const unread = new UnreadLocks();
  expect(unread.marked(lock)).toEqual(lock);
  expect(unread.set('redis', [a])).toEqual(['redis/0/a']);
  expect(unread.marked(lock).unread).toEqual({ since: 7, reason: 'fields' });
  expect(unread.set('redis', [])).toEqual(['redis/0/a']);
  expect(unread.marked(lock)).toEqual(lock);
});

test('only locks whose mark changed are reported', () => {
  const unread = new UnreadLocks();
  unread.set('redis', [a, { ...a, name: 'b' }]);
  expect(unread.set('redis', [a, { ...a, name: 'b', reason: 'reply' }])).toEqual(['redis/0/b']);
});

test('the same name at another source keeps its mark', () => {
  const unread = new UnreadLocks();
  unread.set('redis-1', [a]);
  unread.set('redis-2', [a]);
  expect(unread.set('redis-2', [])).toEqual(['redis-2/0/a']);
  expect(unread.marked({ ...lock, id: 'redis-1/0/a' }).unread).toEqual({ since: 7, reason: 'fields' });
});
