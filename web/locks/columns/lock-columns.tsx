import type { CSSProperties } from 'react';
import { byText, wantedBy } from '../../../shared/insights/attention.ts';
import { compareHandovers } from '../../../shared/state/handovers.ts';
import type { Lock } from '../../../shared/wire/locks/lock.ts';
import { type Beginning, oldestHold, oldestWait } from '../../../shared/wire/locks/lock-facts.ts';
import { personText } from '../../../shared/wire/person-text.ts';
import { LockVerdictMark } from '../../verdicts/LockVerdictMark.tsx';
import { useWords } from '../../words/language.ts';
import { Age, Rate } from './FigureCells.tsx';
import { HolderCell } from './HolderCell.tsx';
import { handoversOf } from './handovers-of.ts';
import { LeaseCell } from './LeaseCell.tsx';
import type { LockColumn } from './lock-column.ts';
import { NameCell } from './NameCell.tsx';
import { WaitersCell } from './WaitersCell.tsx';

/**
 * Widths of the table, in rem, from which on the columns have other widths. A narrower table has cards instead of
 * columns.
 */
const STEPS = [66, 76, 84, 92] as const;

/** The columns, in the order of the questions in an incident: which lock, who holds it, for how long, who waits. */
export const LOCK_COLUMNS: readonly LockColumn[] = [
  {
    id: 'lock',
    sort: { by: 'name', isRising: true, compare: (a, b) => byText(a.name, b.name) },
    width: 'minmax(22ch, 1fr)',
    Cell: NameCell,
  },
  {
    id: 'verdict',
    width: ['5.2rem', '6.7rem', '7.2rem', '13rem'],
    Cell: ({ lock }) => <LockVerdictMark lock={lock} />,
  },
  {
    id: 'kind',
    sort: { by: 'kind', isRising: true, compare: (a, b) => byText(a.kind, b.kind) },
    width: [null, null, null, '8rem'],
    Cell: ({ lock }) => useWords().lock.kind[lock.kind],
  },
  {
    id: 'holder',
    sort: { by: 'holder', isRising: true, compare: (a, b) => byText(firstHolder(a), firstHolder(b)) },
    width: ['9rem', '10rem', 'minmax(10rem, 13rem)', 'minmax(9rem, 13rem)'],
    Cell: HolderCell,
  },
  {
    id: 'held',
    sort: { by: 'held', compare: (a, b) => beginningOf(oldestHold(a)) - beginningOf(oldestHold(b)) },
    width: '6rem',
    isFigure: true,
    Cell: ({ lock }) => <Age source={lock.source} since={oldestHold(lock)} />,
  },
  {
    id: 'lease',
    sort: { by: 'lease', isRising: true, compare: (a, b) => leaseEnd(a) - leaseEnd(b) },
    width: ['9.5rem', '9.5rem', '13rem', '13rem'],
    Cell: LeaseCell,
  },
  {
    id: 'waiters',
    sort: { by: 'waiters', compare: (a, b) => wantedBy(b) - wantedBy(a) },
    width: ['7.5rem', '11.5rem', '11rem', '11rem'],
    Cell: WaitersCell,
    isNothing: (lock) => wantedBy(lock) === 0,
  },
  {
    id: 'wait',
    sort: { by: 'wait', compare: (a, b) => beginningOf(oldestWait(a)) - beginningOf(oldestWait(b)) },
    width: '6rem',
    isFigure: true,
    Cell: ({ lock }) => <Age source={lock.source} since={oldestWait(lock)} />,
  },
  {
    id: 'rate',
    sort: { by: 'rate', compare: (a, b) => compareHandovers(handoversOf(b), handoversOf(a)) },
    width: '5.8rem',
    isFigure: true,
    Cell: Rate,
  },
];

/** The widths of all columns at each of `STEPS`, for `lock-table.css`. */
export const COLUMN_WIDTHS: CSSProperties = Object.fromEntries(
  STEPS.map((rem, step) => [
    `--columns-${rem}`,
    LOCK_COLUMNS.flatMap(({ width }) => widthAt(width, step) ?? []).join(' '),
  ]),
);

/** What `lock-table.css` needs to know about a column, for its heading and its cells. */
export function attributesOf({ width, isFigure }: LockColumn): Readonly<Record<`data-${string}`, string>> {
  const from = STEPS.find((_, step) => widthAt(width, step) !== null);
  return { ...(from !== STEPS[0] && { 'data-from': `${from}` }), ...(isFigure && { 'data-figure': '' }) };
}

function widthAt(width: LockColumn['width'], step: number): string | null {
  return typeof width === 'string' ? width : (width[step] ?? null);
}

function firstHolder({ holders: [holder] }: Lock): string {
  return holder ? personText(holder.client, holder.thread, holder.name) : '\uffff';
}

function beginningOf(beginning: Beginning | null): number {
  return beginning?.at ?? Number.MAX_SAFE_INTEGER;
}

function leaseEnd(lock: Lock): number {
  if (!lock.held) return Number.MAX_VALUE;
  return lock.lease.expiresAt ?? Number.MAX_SAFE_INTEGER;
}
