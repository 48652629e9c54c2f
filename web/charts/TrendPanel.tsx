import { memo, useMemo } from 'react';
import { countText, durationText, rateText, secondsText } from '../ui/time-text.ts';
import { useWords } from '../words/language.ts';
import { isSeen, peakOf, type TrendPoint } from './bin-trend.ts';
import type { Hairline } from './hairline.ts';
import { NumbersTable } from './NumbersTable.tsx';
import { type ProblemBegan, TrendChart } from './TrendChart.tsx';
import { pointsOf, type TrendFigure, type TrendRow } from './trend-points.ts';

type TrendPanelProps = {
  title: string;
  rows: readonly TrendRow[];
  binMicros: number;
  /** Since when the numbers are known; null: since before the first row. */
  since: number | null;
  /** True if the rows are about a past instant: no rows will be added. */
  isPast: boolean;
  /** Current number of waiters; null if waiters are hidden, or the rows are about the past. */
  waitersNow: number | null;
  /** How long the oldest waiter has waited; null: no known waiter, or the rows are about the past. */
  oldestWait: string | null;
  /** The oldest wait is longer than every counted one. */
  isOldestWaitAbove: boolean;
  hairline: Hairline;
  problems: readonly ProblemBegan[];
};

/** How many bins are joined into one row of the table. */
const JOINED = 6;

/**
 * Charts of the last minutes (waiters, the oldest wait, waits that ended, hand-overs), and the same numbers as a table
 * for screen readers.
 */
export default function TrendPanel(props: TrendPanelProps) {
  const { title, rows, binMicros, since, isPast, waitersNow, oldestWait, isOldestWaitAbove, hairline, problems } =
    props;
  const words = useWords().charts;
  const isEmpty = rows.every((row) => row.sight === 'forgotten');
  const points = useMemo(
    () => ({
      waiters: pointsOf(rows, 'waiters'),
      oldestWaitMs: pointsOf(rows, 'oldestWaitMs'),
      waitP95Ms: pointsOf(rows, 'waitP95Ms'),
      handoversPerSecond: pointsOf(rows, 'handoversPerSecond'),
    }),
    [rows],
  );
  const plain = { binMicros, hairline, problems };
  const waitsAbsent = isAllHidden(points.waiters) ? words.trendsHidden : null;
  return (
    <>
      <h2>
        {title}
        {since !== null && (
          <span className="quiet is-right" title={words.sinceTitle}>
            {words.since(secondsText(since))}
          </span>
        )}
      </h2>
      {isEmpty || waitsAbsent !== null ? (
        <p className="quiet">{waitsAbsent ?? (isPast ? words.notCounted : words.collecting)}</p>
      ) : (
        <div className="trends">
          <TrendChart
            {...plain}
            title={
              waitersNow === null ? words.waitersSeen : `${words.waiters}: ${words.waitersNow(countText(waitersNow))}`
            }
            shape="area"
            points={points.waiters}
            isAboveNow={waitersNow !== null && waitersNow > (peakOf(points.waiters)?.value ?? 0)}
            nothing={words.none}
            textOf={wholeText}
          />
          <TrendChart
            {...plain}
            title={oldestWait === null ? words.oldestWait : words.oldestWaitNow(oldestWait)}
            hint={words.oldestWaitTitle}
            isLog
            shape="line"
            ink="wait"
            points={points.oldestWaitMs}
            isAboveNow={isOldestWaitAbove}
            nothing={words.none}
            textOf={lengthText}
          />
          <TrendChart
            {...plain}
            title={words.waitP95Short}
            hint={words.waitP95Title}
            isLog
            shape="dots"
            points={points.waitP95Ms}
            nothing={words.noWaitEnded}
            textOf={lengthText}
          />
          <TrendChart
            {...plain}
            title={words.handoversShort}
            hint={words.handoversTitle}
            shape="line"
            points={points.handoversPerSecond}
            nothing={words.none}
            textOf={rateText}
          />
          <TrendTable title={title} rows={rows} />
        </div>
      )}
    </>
  );
}

/** The numbers of the charts as a table. A row covers six bins, and each cell shows the largest number in them. */
const TrendTable = memo(function TrendTable({ title, rows }: { title: string; rows: readonly TrendRow[] }) {
  const words = useWords().charts;
  const groups: TrendRow[][] = [];
  for (let i = 0; i < rows.length; i += JOINED) groups.push(rows.slice(i, i + JOINED));
  const cell = (group: TrendRow[], key: TrendFigure) => {
    const points = pointsOf(group, key);
    const values = points.flatMap(({ value }) => value ?? []);
    if (values.length > 0) return Math.max(...values);
    return points.some(isSeen) ? words.none : words.sight[points[0]?.sight ?? 'forgotten'];
  };
  const cellText = (value: number | string, textOf: (value: number) => string) =>
    typeof value === 'string' ? value : textOf(value);
  const oldestCell = (group: TrendRow[]) => {
    const text = cellText(cell(group, 'oldestWaitMs'), durationText);
    const isAtLeast = group.some(({ oldestWaitMs, oldestIsAtLeast }) => oldestIsAtLeast && (oldestWaitMs ?? 0) > 0);
    return isAtLeast ? words.atLeast(text) : text;
  };
  const rowsOfTable = groups.map((group) => ({
    key: group[0]?.at ?? 0,
    head: secondsText(group[0]?.at ?? 0),
    cells: [
      cellText(cell(group, 'waiters'), countText),
      oldestCell(group),
      cellText(cell(group, 'waitP95Ms'), durationText),
      cellText(cell(group, 'handoversPerSecond'), rateText),
    ],
  }));
  const heads = [words.time, words.waiters, words.oldestWait, words.waitP95, words.handovers];
  return <NumbersTable title={title} heads={heads} rows={rowsOfTable} />;
});

function isAllHidden(points: readonly TrendPoint[]): boolean {
  return points.some(({ sight }) => sight === 'hidden') && !points.some(isSeen);
}

function wholeText(count: number): string {
  return countText(count);
}

function lengthText(ms: number): string {
  return durationText(ms);
}
