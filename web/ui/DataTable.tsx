import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { endRange, type FollowEnd, useFollowEnd } from './use-follow-end.ts';
import { useRowKeys } from './use-row-keys.ts';

export type Column = {
  readonly id: string;
  readonly title: string;
  /** Present when the column can be sorted by. */
  readonly sort?: { readonly state: 'ascending' | 'descending' | 'none'; readonly onClick: () => void };
};

type DataTableProps<Row> = {
  label: string;
  /** CSS class that sets the column widths. */
  className: string;
  columns: readonly Column[];
  rows: readonly Row[];
  rowKey: (row: Row) => string | number;
  rowClass?: (row: Row) => string;
  rowHeight: number;
  /** The cells of one row, each a `td`; `isTabStop` goes to the row's focusable element. */
  children: (row: Row, index: number, isTabStop: boolean) => ReactNode;
  /** Told when the reader comes into the table, by pointer or focus, and leaves it. */
  onInUse?: (isInUse: boolean) => void;
  /** Keeps the newest row at the bottom in sight. */
  follow?: FollowEnd | undefined;
  /** Key of a row to bring into sight, once each time it changes. */
  reveal?: string | number | null;
};

/**
 * A table that draws only the rows in sight. Arrow keys go from row to row: each row has one element marked
 * `data-row-focus`, and only one of those is a tab stop.
 *
 * While it follows the end, each batch puts other rows in sight. Row elements then stay where they are, one below the
 * other at the end of the table, and only their texts change: thousands of rows a second cost a few ms a frame.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const {
    label,
    className,
    columns,
    rows,
    rowKey,
    rowClass,
    rowHeight,
    children,
    onInUse,
    follow,
    reveal = null,
  } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const isFollowing = follow?.isFollowing ?? false;
  const virtualizer = useVirtualizer<HTMLDivElement, HTMLTableRowElement>({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => rowKey(rows[index] as Row), // asked only for indexes below `count`
    overscan: 12,
    rangeExtractor: (range) =>
      isFollowing ? endRange(range.count, range.endIndex - range.startIndex + 1) : defaultRangeExtractor(range),
    scrollPaddingStart: rowHeight,
    useFlushSync: false,
  });
  const items = virtualizer.getVirtualItems();
  // rows that follow the end are not measured: where all of them are drawn, they know their height best
  const height = isFollowing && items.length === rows.length ? undefined : virtualizer.getTotalSize();
  const keys = useRowKeys(virtualizer, rows.length, scroller);
  const lastRow = rows.at(-1);
  const onScroll = useFollowEnd(
    scroller,
    { count: rows.length, lastKey: lastRow === undefined ? undefined : rowKey(lastRow), height: rowHeight },
    follow,
  );
  const revealIndex = reveal === null ? -1 : rows.findIndex((row) => rowKey(row) === reveal);
  const isRevealable = revealIndex !== -1;

  // rows that come later must not scroll again
  useLayoutEffect(() => {
    if (isRevealable) virtualizer.scrollToIndex(revealIndex, { align: 'auto' });
  }, [reveal, isRevealable]);

  return (
    <div className="table-scroller" ref={scroller} onScroll={(event) => onScroll(event.currentTarget)}>
      <table
        aria-label={label}
        aria-rowcount={rows.length + 1}
        className={`data-table ${className}`}
        onClick={keys.onClick}
        onKeyDown={keys.onKeyDown}
        onFocus={(event) => {
          keys.onFocus(event);
          onInUse?.(true);
        }}
        onBlur={() => onInUse?.(false)}
        onPointerEnter={() => onInUse?.(true)}
        onPointerLeave={() => onInUse?.(false)}
      >
        <thead className="table-head">
          <tr aria-rowindex={1} className="table-row">
            {columns.map((column) => (
              <HeadCell key={column.id} column={column} />
            ))}
          </tr>
        </thead>
        <tbody className={`table-body ${isFollowing ? 'is-following' : ''}`} style={{ height }}>
          {items.map((item, place) => {
            const row = rows[item.index];
            if (row === undefined) return null;
            return (
              <tr
                key={isFollowing ? `place ${place}` : item.key}
                ref={isFollowing ? null : virtualizer.measureElement}
                data-index={item.index}
                aria-rowindex={item.index + 2}
                className={`table-row ${item.index % 2 === 1 ? 'is-odd' : ''} ${rowClass?.(row) ?? ''}`}
                style={isFollowing ? undefined : { transform: `translateY(${item.start}px)` }}
              >
                {children(row, item.index, item.index === keys.tabStop)}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

function HeadCell({ column }: { column: Column }) {
  if (!column.sort) {
    return (
      <th scope="col" data-column={column.id}>
        {column.title}
      </th>
    );
  }
  const { state, onClick } = column.sort;
  return (
    <th scope="col" data-column={column.id} aria-sort={state}>
      <button type="button" className="sort-button" onClick={onClick}>
        {column.title}
        <span aria-hidden="true">{state === 'none' ? '' : state === 'ascending' ? ' ▲' : ' ▼'}</span>
      </button>
    </th>
  );
}
