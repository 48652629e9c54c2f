import { memo, type ReactNode, useLayoutEffect, useRef } from 'react';
import { RowElements } from './row-elements.ts';
import { type Written, writeAttribute, writeSlots } from './write-slots.ts';

/** Which rows may be written over each other, and what is written. */
export type WrittenRows<Row> = {
  /** Rows of the same shape differ only in their texts. */
  readonly shapeOf: (row: Row) => string;
  /** The texts of a row; the same array as long as they are the same. */
  readonly textsOf: (row: Row) => readonly Written[];
};

/** A row in sight. `index`: its place among all rows. */
type RowInSight<Row> = {
  readonly row: Row;
  readonly key: string | number;
  readonly index: number;
  readonly className: string;
  readonly isTabStop: boolean;
};

type Cells<Row> = (row: Row, index: number, isTabStop: boolean) => ReactNode;

type LiveRowsProps<Row> = {
  rows: readonly RowInSight<Row>[];
  written: WrittenRows<Row>;
  children: Cells<Row>;
};

/**
 * The last rows of a growing table. React renders an element only for its first row. After that, each new row of the
 * same shape is written over one that is gone, so that a draw costs little more than the layout of new texts.
 *
 *   rows       a b c d        c d e f
 *   elements   0 1 2 3   →    2 3 0 1     e is written over a, f over b
 */
export function LiveRows<Row>({ rows, written, children }: LiveRowsProps<Row>) {
  const elements = useRef(new RowElements()).current;
  const made = useRef(new Map<number, HTMLTableRowElement>()).current;
  const textsIn = useRef(new WeakMap<HTMLTableRowElement, readonly Written[]>()).current;
  const numbers = elements.of(rows.map(({ row, key }) => ({ key, kind: written.shapeOf(row) })));

  useLayoutEffect(() => {
    rows.forEach((inSight, place) => {
      const element = made.get(numbers[place] ?? -1);
      if (!element) return;
      writeAttributes(element, inSight);
      const texts = written.textsOf(inSight.row);
      if (textsIn.get(element) !== texts) writeSlots(element, texts);
      textsIn.set(element, texts);
    });
  });

  return rows.map((inSight, place) => {
    const number = numbers[place] ?? -1;
    return (
      <FirstRow key={number} number={number} made={made} first={inSight}>
        {children as Cells<unknown>}
      </FirstRow>
    );
  });
}

type FirstRowProps = {
  number: number;
  made: Map<number, HTMLTableRowElement>;
  first: RowInSight<unknown>;
  children: Cells<unknown>;
};

/** An element with its first row. It is never rendered again. */
const FirstRow = memo(
  function FirstRow({ number, made, first, children }: FirstRowProps) {
    const ref = (element: HTMLTableRowElement | null) => {
      if (element) made.set(number, element);
      return () => void made.delete(number);
    };
    return (
      <tr ref={ref} {...attributesOf(first)}>
        {children(first.row, first.index, first.isTabStop)}
      </tr>
    );
  },
  () => true,
);

/** The attributes of the element of a row. */
export function attributesOf({ index, className }: Pick<RowInSight<unknown>, 'index' | 'className'>) {
  return { 'data-index': index, 'aria-rowindex': index + 2, className };
}

function writeAttributes(element: HTMLTableRowElement, inSight: RowInSight<unknown>): void {
  const { className, ...others } = attributesOf(inSight);
  if (element.className !== className) element.className = className;
  for (const [name, value] of Object.entries(others)) {
    writeAttribute(element, name, String(value));
  }
  const tabIndex = inSight.isTabStop ? 0 : -1;
  for (const inRow of element.querySelectorAll<HTMLElement>('[tabindex]')) {
    if (inRow.tabIndex !== tabIndex) inRow.tabIndex = tabIndex;
  }
}
