import { expect, test } from 'vitest';
import { KEY_ROW_PX, LOCK_ROW_PX, THREAD_ROW_PX } from './metrics.ts';
import { linkKey, quietKey, type RowInput, rowsBetween, rowsFrom } from './rows.ts';

const input: RowInput = {
  order: ['s/0/a', 's/0/b', 's/0/c'],
  open: new Set(['s/0/a']),
  quiet: new Set(),
  openQuiet: new Set(),
  hidden: new Set(),
  pinned: new Set(),
  holdersOf: () => ['u:1', 'v:1'],
};
const kinds = (part: Partial<RowInput>) =>
  rowsFrom({ ...input, ...part }).rows.map((row) => `${row.kind} ${row.kind === 'quiet' ? row.count : row.lockId}`);

test('an open lock has a key lane and a lane for each thread', () => {
  const { rows, height } = rowsFrom(input);
  expect(rows.map(({ kind }) => kind)).toEqual(['lock', 'key', 'thread', 'thread', 'lock', 'lock']);
  expect(height).toBe(LOCK_ROW_PX * 3 + KEY_ROW_PX + THREAD_ROW_PX * 2);
});

test('pinned locks are first, and quiet locks fold into one row at the end', () => {
  expect(kinds({ open: new Set(), pinned: new Set(['c']), quiet: new Set(['s/0/a', 's/0/c']) })).toEqual([
    'lock s/0/c',
    'lock s/0/b',
    'quiet 1',
  ]);
  expect(kinds({ open: new Set(), quiet: new Set(['s/0/a']), openQuiet: new Set([quietKey()]) })).toEqual([
    'lock s/0/b',
    'lock s/0/c',
    'quiet 1',
    'lock s/0/a',
  ]);
});

test('20 quiet locks with one prefix have a row of their own, the largest group first', () => {
  const many = (prefix: string, count: number) => Array.from({ length: count }, (_, n) => `s/0/${prefix}${n}`);
  const quiet = [...many('cart:', 20), ...many('job:', 19), ...many('user:', 30), 's/0/plain'];
  const labels = (openQuiet: ReadonlySet<string>) =>
    rowsFrom({ ...input, order: quiet, quiet: new Set(quiet), openQuiet }).rows.flatMap((row) =>
      row.kind === 'quiet' ? `${row.prefix}${row.count}` : row.key,
    );
  expect(labels(new Set())).toEqual(['user:30', 'cart:20', '20']);
  expect(labels(new Set([quietKey('cart:')]))).toEqual(['user:30', 'cart:20', ...many('cart:', 20), '20']);
});

test('hidden locks and lanes are left out and counted', () => {
  const { rows, hiddenCount } = rowsFrom({ ...input, hidden: new Set(['b', linkKey('s/0/a', 'u:1')]) });
  expect(rows.map(({ key }) => key)).toEqual(['s/0/a', 's/0/a?key', 's/0/a#v:1', 's/0/c']);
  expect(hiddenCount).toBe(2);
});

test('the name of a lock may contain slashes', () => {
  expect(linkKey('s/0/a/b')).toBe('a/b');
});

test('only the visible rows are returned', () => {
  const order = Array.from({ length: 1000 }, (_, i) => `s/0/lock-${i}`);
  const { rows } = rowsFrom({ ...input, order, open: new Set() });
  const shown = rowsBetween(rows, LOCK_ROW_PX * 500, LOCK_ROW_PX * 510);
  expect(shown.map(({ key }) => key)).toEqual(order.slice(500, 510));
});

test('the empty lanes of a lock share a folded row, and follow it in order when it is opened', () => {
  const input = {
    ...{ order: ['s/0/a'], open: new Set(['s/0/a']), quiet: new Set<string>(), openQuiet: new Set<string>() },
    ...{ hidden: new Set<string>(), pinned: new Set<string>(), holdersOf: () => ['u:1', 'u:2', 'u:3'] },
    folded: new Set(['s/0/a#u:1', 's/0/a#u:3']),
  };
  const kinds = (openFolds: ReadonlySet<string>) =>
    rowsFrom({ ...input, openFolds }).rows.map((row) => (row.kind === 'thread' ? row.holder : row.kind));
  expect(kinds(new Set())).toEqual(['lock', 'key', 'u:2', 'empty']);
  expect(kinds(new Set(['s/0/a']))).toEqual(['lock', 'key', 'u:2', 'empty', 'u:1', 'u:3']);
  expect(rowsFrom(input).rows.at(-1)).toMatchObject({ kind: 'empty', count: 2 });
});
