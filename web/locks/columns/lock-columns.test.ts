import { expect, test } from 'vitest';
import { LOCK_SORTS } from '../../url/route.ts';
import { EN } from '../../words/en.ts';
import { attributesOf, COLUMN_WIDTHS, LOCK_COLUMNS } from './lock-columns.tsx';
import { offeredSorts } from './lock-order.ts';

test('every order that a URL can have belongs to one column, except attention and the number of holds', () => {
  const ofColumns = LOCK_COLUMNS.flatMap(({ sort }) => sort?.by ?? []);
  expect(['attention', 'count', ...ofColumns].sort()).toEqual([...LOCK_SORTS].sort());
});

test('every column has a title, and every sortable column has a text for the list of orders', () => {
  expect(LOCK_COLUMNS.map(({ id }) => id)).toEqual(Object.keys(EN.overview.columns));
  for (const { id, sort } of LOCK_COLUMNS)
    expect(EN.overview.columns[id].sort !== undefined, id).toBe(sort !== undefined);
});

test('the list of orders includes the number of holds only as the current order', () => {
  const offered = (current: 'attention' | 'count') => offeredSorts(EN, current).map(({ text }) => text);
  expect(offered('attention').slice(0, 3)).toEqual(['Sort: attention', 'Sort: name', 'Sort: kind']);
  expect(offered('attention')).toHaveLength(LOCK_SORTS.length - 1);
  expect(offered('count')).toContain('Sort: holds');
});

test('at each width the grid has one track for each visible column', () => {
  const widths = Object.entries(COLUMN_WIDTHS).map(([name, tracks]) => [
    Number(name.replace('--columns-', '')),
    String(tracks).replaceAll(', ', ',').split(' ').length,
  ]);
  const shown = (rem: number) =>
    LOCK_COLUMNS.filter((column) => Number(attributesOf(column)['data-from'] ?? 0) <= rem).length;
  expect(widths).toEqual([66, 76, 84, 92].map((rem) => [rem, shown(rem)]));
  expect(attributesOf(columnNamed('kind'))).toEqual({ 'data-from': '92' });
  expect(attributesOf(columnNamed('held'))).toEqual({ 'data-figure': '' });
});

function columnNamed(id: string) {
  const column = LOCK_COLUMNS.find((each) => each.id === id);
  if (!column) throw new Error(`no column ${id}`);
  return column;
}
