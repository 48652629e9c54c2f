import { expect, test } from 'vitest';
import { redisTime } from '../../base/time.ts';
import type { BookmarkSignal } from '../../signals/signal.ts';
import { ChangedKeys } from './changed-keys.ts';
import { LockKeys } from './lock-keys.ts';

const keyEvent = (event: string, key: string) => ({ db: 0, key, event });

function bookmarkOf(...names: string[]): BookmarkSignal {
  const reads = names.map((name) => {
    return { db: 0, name, type: 'hash', fields: {}, pttl: 5, hasChanged: false, subscribers: null };
  });
  return { kind: 'bookmark', at: redisTime(1), reads };
}

const changed = ({ reads }: BookmarkSignal) => reads.filter(({ hasChanged }) => hasChanged).map(({ name }) => name);

test('[K4] only the first read after an acquisition is marked as changed', () => {
  const keys = new ChangedKeys(new LockKeys());
  expect([keys.hear(keyEvent('hincrby', 'a')), keys.hear(keyEvent('expire', 'a'))]).toEqual([undefined, 'changed']);
  expect(changed(keys.taken(bookmarkOf('a', 'b')))).toEqual(['a']);
  expect(changed(keys.taken(bookmarkOf('a', 'b')))).toEqual([]);
});

test.each(['a', '{a}', '{a}:b', 'tenant:{42}:orders'])(
  '[K4] a partial release of the lock %s is not an acquisition',
  (lock) => {
    const keys = new ChangedKeys(new LockKeys());
    const latch = `redisson_unlock_latch:${lock.includes('{') ? lock : `{${lock}}`}:0123456789abcdef0123456789abcdef`;
    for (const event of [keyEvent('hincrby', lock), keyEvent('expire', lock), keyEvent('set', latch)]) keys.hear(event);
    expect(changed(keys.taken(bookmarkOf(lock)))).toEqual([]);
  },
);

test('[K4] a renamed or restored key was not acquired here', () => {
  const keys = new ChangedKeys(new LockKeys());
  expect([keys.hear(keyEvent('restore', 'a')), keys.hear(keyEvent('rename_to', 'b'))]).toEqual(['changed', 'changed']);
  expect(changed(keys.taken(bookmarkOf('a', 'b')))).toEqual([]);
});

test('[X5] a lease that is set when a key arrives from another shard is not an acquisition', () => {
  const keys = new ChangedKeys(new LockKeys());
  const makeMissing = () => void [keyEvent('expire', 'a'), keyEvent('del', 'a')].map((event) => keys.hear(event));
  makeMissing();
  expect([keys.hear(keyEvent('restore', 'a')), keys.hear(keyEvent('expire', 'a'))]).toEqual(['changed', 'leased']);
  expect(changed(keys.taken(bookmarkOf('a')))).toEqual([]);
  makeMissing();
  for (const event of [keyEvent('restore', 'a'), keyEvent('restore', 'b'), keyEvent('expire', 'a')]) keys.hear(event);
  expect(changed(keys.taken(bookmarkOf('a')))).toEqual(['a']);
});

test('[K4] a lease set without a write is not an acquisition', () => {
  const locks = new LockKeys();
  locks.take(0, 'a', 'lock', 0);
  const keys = new ChangedKeys(locks);
  expect(keys.hear(keyEvent('expire', 'a'))).toBe('changed');
  expect(changed(keys.taken(bookmarkOf('a')))).toEqual([]);
});

test('at most 20,000 acquisitions are remembered', () => {
  const keys = new ChangedKeys(new LockKeys());
  for (let n = 0; n <= 20_000; n++) for (const event of ['hset', 'expire']) keys.hear(keyEvent(event, `k${n}`));
  expect(changed(keys.taken(bookmarkOf('k0', 'k1')))).toEqual(['k1']);
});
