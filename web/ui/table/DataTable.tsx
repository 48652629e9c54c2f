import { type CSSProperties, type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { LatePart } from '../LatePart.tsx';
import { lazyPart } from '../lazy-part.tsx';
import { attributesOf, LiveRows, type WrittenRows } from './LiveRows.tsx';
import { endRange, type FollowEnd, useFollowEnd } from './use-follow-end.ts';
import { useRowKeys } from './use-row-keys.ts';
import { useVirtualizer } from './use-virtualizer.ts';
import type { Windowing } from './windowing.ts';

const GiveWindowing = lazyPart(() => import('./GiveWindowing.tsx'));

/** A table with more rows than this loads the code that finds its visible rows. */
const FEW_ROWS = 40;
/** Without that code, a table renders its first rows: at most this many, more than fill a screen. */
const FIRST_ROWS = 100;
/** How many rows are rendered above the visible ones, and as many below. */
const OVERSCAN = 12;

export type Column = {
  readonly id: string;
  readonly title: string;
  /** The tooltip of the heading. */
  readonly hint?: string | undefined;
  /** Further attributes of the heading. */
  readonly attributes?: Readonly<Record<`data-${string}`, string>>;
  /** Present if the table can be sorted by this column. `next`: its state after a click. */
  readonly sort?: { readonly state: SortState; readonly next: SortState; readonly onClick: () => void };
};

export type SortState = 'ascending' | 'descending' | 'none';

type DataTableProps<Row> = {
  label: string;
  /** CSS class that sets the column widths. */
  className: string;
  /** CSS variables that the rules of `className` use. */
  style?: CSSProperties;
  columns: readonly Column[];
  rows: readonly Row[];
  rowKey: (row: Row) => string | number;
  /** Called when the focusable element of a row is clicked. Absent: that element has a handler of its own. */
  onRowClick?: (row: Row) => void;
  rowClass?: (row: Row) => string;
  rowHeight: number;
  /** Renders the cells of one row as `td`s; `isTabStop` belongs to the row's focusable element. */
  children: (row: Row, index: number, isTabStop: boolean) => ReactNode;
  /** Called when the pointer or the focus enters or leaves the table. */
  onInUse?: (isInUse: boolean) => void;
  /** Keeps the last row visible, and reuses the elements of rows that are gone for new rows. */
  follow?: (FollowEnd & WrittenRows<Row>) | undefined;
  /** Key of a row to scroll to, once per change. */
  reveal?: string | number | null;
  /** True for the main table of a page: the arrow down key reaches it from the top of the page. */
  isMain?: boolean;
  /** The code that finds the visible rows. Absent: it is loaded as soon as the table has many rows. */
  windowing?: Windowing;
};

/**
 * A table that renders only the visible rows, or all if they are few. Arrow keys move between rows: each row has one
 * element marked `data-row-focus`, and only one of them is a tab stop.
 *
 * While the table follows its end, its rows are `LiveRows`.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const {
    label,
    className,
    style,
    columns,
    rows,
    rowKey,
    onRowClick,
    rowClass,
    rowHeight,
    children,
    onInUse,
    follow,
    reveal = null,
    isMain = false,
    windowing,
  } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const isFollowing = follow?.isFollowing ?? false;
  const many = useRef<number | null>(null);
  const [loaded, setLoaded] = useState<Windowing | null>(null);
  const virtualizer = useVirtualizer(windowing ?? loaded, {
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => rowKey(rows[index] as Row), // called only with indexes below `count`
    overscan: OVERSCAN,
    ...(isFollowing && {
      rangeExtractor: (range) => endRange(range.count, many.current ?? range.endIndex - range.startIndex + 1),
    }),
    scrollPaddingStart: rowHeight,
  });
  const places: readonly { index: number; start?: number }[] =
    virtualizer?.getVirtualItems() ?? rows.slice(0, FIRST_ROWS).map((_, index) => ({ index }));
  const showIndex = (index: number) => {
    if (virtualizer) virtualizer.scrollToIndex(index, { align: 'auto' });
    else if (scroller.current) showRow(scroller.current, index, rowHeight);
  };
  const keys = useRowKeys({
    // until all rows can be rendered, the keys move among the first rows
    count: virtualizer ? rows.length : places.length,
    first: places[0]?.index ?? 0,
    last: places.at(-1)?.index ?? 0,
    page: () =>
      virtualizer
        ? places.length - 1 - 2 * OVERSCAN
        : Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 1,
    show: showIndex,
    scroller,
    isMain,
  });
  const shown = places.flatMap(({ index, start }) => {
    const row = rows[index];
    if (row === undefined) return [];
    const className = `table-row ${index % 2 === 1 ? 'is-odd' : ''} ${rowClass?.(row) ?? ''}`;
    return [{ row, index, start, key: rowKey(row), className, isTabStop: index === keys.tabStop }];
  });
  // rows are not measured while following the end; if all of them are rendered, the browser computes the height
  const height = isFollowing && shown.length === rows.length ? undefined : virtualizer?.getTotalSize();
  const lastRow = rows.at(-1);
  const onScroll = useFollowEnd(
    scroller,
    {
      count: rows.length,
      lastKey: lastRow === undefined ? undefined : rowKey(lastRow),
      height: rowHeight,
      windowHeight: virtualizer?.scrollRect?.height ?? 0,
    },
    follow,
    many,
  );
  const revealIndex = reveal === null ? -1 : rows.findIndex((row) => rowKey(row) === reveal);
  const isRevealable = revealIndex !== -1;

  // depends on the key, not on the index: rows added later must not scroll the table again
  useLayoutEffect(() => {
    if (isRevealable) showIndex(revealIndex);
  }, [reveal, isRevealable]);
  const bodyClass = `table-body ${isFollowing ? 'is-following' : virtualizer ? '' : 'is-whole'}`;

  return (
    <>
      <div className="table-scroller" ref={scroller} onScroll={(event) => onScroll(event.currentTarget)}>
        <table
          aria-label={label}
          aria-rowcount={rows.length + 1}
          className={`data-table ${className}`}
          style={style}
          onClick={(event) => {
            keys.onClick(event);
            const row = rowOfClick(event.target as Element, rows); // the target of a click is always an element
            if (row !== undefined) onRowClick?.(row);
          }}
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
          <tbody className={bodyClass} style={{ height }}>
            {follow && isFollowing ? (
              <LiveRows rows={shown} written={follow}>
                {children}
              </LiveRows>
            ) : (
              shown.map((inSight) => (
                <tr
                  key={inSight.key}
                  ref={virtualizer?.measureElement}
                  {...attributesOf(inSight)}
                  style={
                    inSight.start === undefined
                      ? undefined
                      : { transform: `translateY(${Math.round(inSight.start)}px)` }
                  }
                >
                  {children(inSight.row, inSight.index, inSight.isTabStop)}
                </tr>
              ))
            )}
          </tbody>
        </table>
      </div>
      {!virtualizer && rows.length > FEW_ROWS && (
        <LatePart what={label}>
          <GiveWindowing onLoaded={setLoaded} />
        </LatePart>
      )}
    </>
  );
}

/** Scrolls a table just so far that a row is visible below the head of the table, which stays at the top. */
function showRow(scroller: HTMLElement, index: number, headHeight: number): void {
  const row = scroller.querySelector(`[data-index="${index}"]`);
  if (!row) return;
  const top = row.getBoundingClientRect().top - scroller.getBoundingClientRect().top;
  const bottom = top + row.getBoundingClientRect().height;
  if (top < headHeight) scroller.scrollTop += top - headHeight;
  else if (bottom > scroller.clientHeight) scroller.scrollTop += bottom - scroller.clientHeight;
}

/** Returns the row whose focusable element was clicked. */
function rowOfClick<Row>(target: Element, rows: readonly Row[]): Row | undefined {
  const row = target.closest('[data-row-focus]')?.closest<HTMLElement>('[data-index]');
  return row ? rows[Number(row.dataset.index)] : undefined;
}

const ARROWS: Readonly<Record<SortState, string>> = { ascending: '▲', descending: '▼', none: '' };

function HeadCell({ column }: { column: Column }) {
  if (!column.sort) {
    return (
      <th scope="col" data-column={column.id} title={column.hint} {...column.attributes}>
        {column.title}
      </th>
    );
  }
  const { state, next, onClick } = column.sort;
  return (
    <th scope="col" data-column={column.id} aria-sort={state} title={column.hint} {...column.attributes}>
      <button type="button" className="sort-button" onClick={onClick}>
        {column.title}
        <span className="sort-arrow" aria-hidden="true">
          {ARROWS[state === 'none' ? next : state]}
        </span>
      </button>
    </th>
  );
}
