import type { ReactNode } from 'react';
import type { Lock } from '../../../shared/wire/locks/lock.ts';
import type { LockSort } from '../../url/route.ts';
import type { Words } from '../../words/words.ts';

/** What a cell shows. `isTabStop`: whether the focusable element of the row is reached by Tab. */
export type CellProps = { lock: Lock; isTabStop: boolean; hasManySources: boolean };

/** The orders that belong to a column. */
export type ColumnSort = Exclude<LockSort, 'attention' | 'count'>;

/** One column of the table of locks. Its texts are `overview.columns` of the words. */
export type LockColumn = {
  readonly id: keyof Words['overview']['columns'];
  /** Absent: the table cannot be sorted by this column. */
  readonly sort?: {
    /** The name of the order in the address. */
    readonly by: ColumnSort;
    /** The first click sorts from the least to the greatest. */
    readonly isRising?: boolean;
    /** Compares two locks as that first click sorts them. */
    compare(a: Lock, b: Lock): number;
  };
  /**
   * The width of the column, as in `grid-template-columns`: one for every width of the table, or one for each of
   * `STEPS` in `lock-columns.tsx`. Null: the column is hidden at that step.
   */
  readonly width: string | readonly (string | null)[];
  /** Right-aligned, with digits of the same width. */
  readonly isFigure?: true;
  readonly Cell: (props: CellProps) => ReactNode;
  /**
   * Whether a card, which replaces the row of a narrow table, leaves this cell out. Empty cells are always left out.
   */
  isNothing?(lock: Lock): boolean;
};
