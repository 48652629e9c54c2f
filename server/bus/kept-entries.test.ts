import { expect, test } from 'vitest';
import { KeptEntries } from './kept-entries.ts';

const KB = 1024;

test('entries beyond the limit of bytes are dropped, the oldest first', () => {
  const kept = new KeptEntries({ ms: 1e9, bytes: 4 * KB });
  const oldest = [1, 2, 3, 4, 5].map((seq) => kept.add({ run: 1, seq }, KB, seq).seq);
  expect(oldest).toEqual([1, 1, 1, 2, 3]);
  expect(kept.bytes).toBeLessThanOrEqual(4 * KB);
});

test('entries that are too old are dropped, but the newest one stays', () => {
  const kept = new KeptEntries({ ms: 100, bytes: 1e9 });
  kept.add({ run: 1, seq: 1 }, 1, 0);
  expect(kept.add({ run: 2, seq: 1 }, 1, 150)).toEqual({ run: 2, seq: 1 });
  expect(kept.trim(1e6)).toEqual({ run: 2, seq: 1 });
});

test('an entry that was noted before is not counted again', () => {
  const kept = new KeptEntries({ ms: 1e9, bytes: 1e9 });
  kept.add({ run: 1, seq: 5 }, KB, 0);
  const before = kept.bytes;
  kept.add({ run: 1, seq: 5 }, KB, 0);
  expect(kept.bytes).toBe(before);
});
