import { expect, test } from 'vitest';
import { redisTime } from '../../shared/base/time.ts';
import type { BookmarkSignal } from '../../shared/signals/signal.ts';
import { HeardChanges } from './heard-changes.ts';

function bookmarkOf(...names: string[]): BookmarkSignal {
  const reads = names.map((name) => {
    return { db: 0, name, type: 'hash', fields: {}, pttl: 5, hasChanged: false, subscribers: null };
  });
  return { kind: 'bookmark', at: redisTime(1), reads };
}

const changed = ({ reads }: BookmarkSignal) => reads.filter(({ hasChanged }) => hasChanged).map(({ name }) => name);

test('the first read after a change knows of it, whichever loop asked for the read', () => {
  const changes = new HeardChanges();
  changes.add(0, 'a');
  changes.add(1, 'b');
  expect(changed(changes.taken(bookmarkOf('a', 'b')))).toEqual(['a']);
  expect(changed(changes.taken(bookmarkOf('a', 'b')))).toEqual([]);
});

test('no more than 20,000 changes are kept', () => {
  const changes = new HeardChanges();
  for (let n = 0; n <= 20_000; n++) changes.add(0, `k${n}`);
  expect(changed(changes.taken(bookmarkOf('k0', 'k1')))).toEqual(['k1']);
});
