import { insightsAbout } from '../../../shared/wire/insights/insights-about.ts';
import type { Lock } from '../../../shared/wire/locks/lock.ts';
import { printableInCell } from '../../cli/printable.ts';
import { type Line, line, type Part } from '../../cli/text/line.ts';
import { cut, cutMiddle, padded, widthOf } from '../../cli/text/width.ts';
import { isDated, type Sight } from '../sight.ts';
import { type Cell, cellsOf, holderCell, type LockCells } from './lock-cells.ts';

type Column = {
  readonly cell: keyof LockCells;
  readonly title: string;
  readonly width: number;
  /** Columns with a higher number are left out first. */
  readonly rank: number;
  readonly isNumber?: boolean;
};

/** Columns besides the name and the holder. */
const COLUMNS: readonly Column[] = [
  { cell: 'count', title: 'N', width: 3, rank: 6, isNumber: true },
  { cell: 'held', title: 'HELD', width: 7, rank: 3, isNumber: true },
  { cell: 'lease', title: 'LEASE', width: 6, rank: 1, isNumber: true },
  { cell: 'watchdog', title: 'WDOG', width: 4, rank: 5 },
  { cell: 'waiters', title: 'WAITERS', width: 8, rank: 2, isNumber: true },
  { cell: 'oldest', title: 'OLDEST', width: 7, rank: 4, isNumber: true },
  { cell: 'place', title: 'SOURCE', width: 10, rank: 7 },
];
/**
 * Widths in columns of the terminal. A name and a holder keep `LEAST_…` beside columns of rank 1 and 2, and `USUAL_…`
 * beside the others.
 */
const MARKS = 3;
const LEAST_NAME_WIDTH = 10;
const LEAST_HOLDER_WIDTH = 8;
const USUAL_NAME_WIDTH = 18;
const USUAL_HOLDER_WIDTH = 15;
const HOLDER_SHARE = 0.45;
/** The longest text counts as at least this wide, and is rounded up to a multiple of `STEP`. */
const LEAST_WIDTH = 16;
const STEP = 8;

/** How a table of locks is divided. */
type Columns = { readonly name: number; readonly holder: number; readonly others: readonly Column[] };

/**
 * Divides a width. Columns are left out, the least important first, until name and holder have enough room. Neither
 * gets more room than the longest text of these locks needs.
 */
export function columnsFor(width: number, locks: readonly Lock[], hasPlaces: boolean): Columns {
  const ranked = COLUMNS.filter(({ cell }) => cell !== 'place' || hasPlaces).sort((a, b) => a.rank - b.rank);
  const others: Column[] = [];
  let left = width - MARKS - 1;
  for (const column of ranked) {
    const isUrgent = column.rank <= 2;
    const least = isUrgent ? LEAST_NAME_WIDTH + LEAST_HOLDER_WIDTH : USUAL_NAME_WIDTH + USUAL_HOLDER_WIDTH;
    if (left - column.width - 1 < least) break;
    others.push(column);
    left -= column.width + 1;
  }
  const wanted = { name: longest(locks, nameText), holder: longest(locks, holderText) };
  const share = Math.max(LEAST_HOLDER_WIDTH, Math.floor(left * HOLDER_SHARE));
  const name = Math.max(1, Math.min(wanted.name, left - Math.min(wanted.holder, share)));
  const holder = Math.max(1, Math.min(wanted.holder, left - name));
  return { name, holder, others: COLUMNS.filter((column) => others.includes(column)) };
}

function nameText({ name }: Lock): string {
  return printableInCell(name) || '(empty name)';
}

function holderText(lock: Lock): string {
  return printableInCell(holderCell(lock).text);
}

/** The width of the longest text, rounded up so that the columns seldom move. */
function longest(locks: readonly Lock[], textOf: (lock: Lock) => string): number {
  const width = locks.reduce((most, lock) => Math.max(most, widthOf(textOf(lock))), LEAST_WIDTH);
  return Math.ceil(width / STEP) * STEP;
}

export function headOfLocks({ name, holder, others }: Columns): Line {
  const titles = others.map((column) => aligned(column.title, column));
  const text = `${' '.repeat(MARKS)}${padded('LOCK', name)} ${padded('HOLDER', holder)} ${titles.join(' ')}`;
  return line({ text, look: 'strong' });
}

/**
 * The row of one lock. Its first column marks the selected row, the second one an outdated state (?) or else a verdict
 * that is not a hint (!).
 */
export function rowOfLock(lock: Lock, sight: Sight, { name, holder, others }: Columns, isSelected: boolean): Line {
  const cells = cellsOf(lock, sight);
  const isOld = isDated(sight, lock);
  const about = insightsAbout(sight.verdicts.insights, lock).filter(({ severity }) => severity !== 'hint');
  const mark: Part = isOld ? '?' : about.length > 0 ? { text: '!', look: 'bad' } : ' ';
  const shown = (text: string, { look = 'plain' }: Pick<Cell, 'look'> = {}): Part => ({
    text,
    look: isOld ? 'quiet' : look,
  });
  return {
    parts: [
      isSelected ? '>' : ' ',
      mark,
      ' ',
      shown(padded(cutMiddle(nameText(lock), name), name)),
      ' ',
      shown(padded(cutMiddle(holderText(lock), holder), holder), cells.holder),
      ...others.flatMap((column) => [
        ' ',
        shown(aligned(cut(printableInCell(cells[column.cell].text), column.width), column), cells[column.cell]),
      ]),
    ],
    isSelected,
  };
}

function aligned(text: string, { width, isNumber = false }: Column): string {
  return padded(text, width, isNumber ? 'right' : 'left');
}
