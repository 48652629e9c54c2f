import { byAttention, byText } from '../../../shared/insights/attention.ts';
import type { ByNeed } from '../../../shared/wire/insights/by-need.ts';
import type { Lock } from '../../../shared/wire/locks/lock.ts';
import { LOCK_SORTS, type LockSort } from '../../url/route.ts';
import type { Words } from '../../words/words.ts';
import type { ColumnSort, LockColumn } from './lock-column.ts';
import { LOCK_COLUMNS } from './lock-columns.tsx';

/**
 * Compares two locks by an order, then by name and id, so that the order is stable. For the order `attention`, `byNeed`
 * compares them.
 */
export function compareLocks(
  a: Lock,
  b: Lock,
  sort: LockSort,
  isReversed: boolean,
  byNeed: ByNeed = byAttention,
): number {
  const order = compareBy(a, b, sort, byNeed) * (isReversed ? -1 : 1);
  return order !== 0 ? order : byText(a.name, b.name) || byText(a.id, b.id);
}

/** The orders that the list of orders offers, each with its text. `count` is only for links that name it. */
export function offeredSorts({ overview }: Words, current: LockSort): { sort: LockSort; text: string }[] {
  return LOCK_SORTS.filter((sort) => sort === current || sort !== 'count').map((sort) => {
    if (sort === 'attention' || sort === 'count') return { sort, text: overview.sorts[sort] };
    const words = overview.columns[columnOf(sort).id];
    return { sort, text: words.sort ?? words.title };
  });
}

function compareBy(a: Lock, b: Lock, sort: LockSort, byNeed: ByNeed): number {
  if (sort === 'attention') return byNeed(a, b);
  if (sort === 'count') return deepest(b) - deepest(a);
  return columnOf(sort).sort?.compare(a, b) ?? 0;
}

function columnOf(sort: ColumnSort): LockColumn {
  const column = LOCK_COLUMNS.find((each) => each.sort?.by === sort);
  if (!column) throw new Error(`no column of the table of locks has the order ${sort}`);
  return column;
}

function deepest(lock: Lock): number {
  return Math.max(0, ...lock.holders.map((holder) => holder.holdCount));
}
