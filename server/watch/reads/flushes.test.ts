import { expect, test } from 'vitest';
import { plusMillis, type RedisTime, redisTime } from '../../../shared/base/time.ts';
import type { BookmarkSignal } from '../../../shared/signals/signal.ts';
import { Flushes } from './flushes.ts';

const FLUSHED_AT = redisTime(1_795_000_000_000_000);
const WITHIN = { from: plusMillis(FLUSHED_AT, -150), to: plusMillis(FLUSHED_AT, 50) };
const unchanged = () => false;

function locks(ends: Readonly<Record<string, RedisTime | null>>, db = 0) {
  return Object.entries(ends).map(([name, expiresAt]) => ({ db, name, expiresAt }));
}

/** A bookmark that found no key of these names, and a hash at those of `there`. */
function bookmark(gone: readonly string[], there: readonly string[] = []): BookmarkSignal {
  const read = (name: string, type: string) => ({ db: 0, name, type, fields: {}, pttl: -2, hasChanged: false });
  const reads = [...gone.map((name) => read(name, 'none')), ...there.map((name) => read(name, 'hash'))];
  return { kind: 'bookmark', at: FLUSHED_AT, reads: reads.map((each) => ({ ...each, subscribers: null })) };
}

const flushedIn = ({ reads }: BookmarkSignal) => reads.map(({ isFlushed }) => isFlushed);

test('[K8] a missing lock counts as flushed if its lease ended after the flush, as perhaps flushed if at that time, and not if before', () => {
  const flushes = new Flushes();
  const ends = {
    before: plusMillis(FLUSHED_AT, -400),
    within: FLUSHED_AT,
    soon: plusMillis(FLUSHED_AT, 300),
    never: null,
  };
  flushes.noticed(locks(ends), WITHIN, unchanged);
  const read = bookmark(Object.keys(ends));
  expect(flushedIn(flushes.marked(read))).toEqual([undefined, 'perhaps', true, true]);
  expect(flushes.marked(read)).toEqual(read);
});

test('[K8] a key with a change that is not read yet may have been deleted before the flush', () => {
  const flushes = new Flushes();
  flushes.noticed(locks({ a: null, b: null }), WITHIN, ({ name }) => name === 'a');
  expect(flushedIn(flushes.marked(bookmark(['a', 'b'])))).toEqual(['perhaps', true]);
});

test('[K8] if a lock still exists, another database was flushed', () => {
  const flushes = new Flushes();
  flushes.noticed([...locks({ a: null, b: null }), ...locks({ c: null }, 1)], WITHIN, unchanged);
  expect(flushedIn(flushes.marked(bookmark(['a'], ['b'])))).toEqual([undefined, undefined]);
  const [other] = bookmark(['c']).reads;
  if (!other) throw new Error('no read');
  expect(flushedIn(flushes.marked({ ...bookmark([]), reads: [{ ...other, db: 1 }] }))).toEqual([true]);
});

test('[K8] after a key event, a lock that is gone does not count as flushed', () => {
  const flushes = new Flushes();
  flushes.noticed(locks({ a: null }), WITHIN, unchanged);
  flushes.heard({ db: 0, name: 'a' });
  expect(flushedIn(flushes.marked(bookmark(['a'])))).toEqual([undefined]);
});
