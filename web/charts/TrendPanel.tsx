import { memo, useMemo } from 'react';
import { countText, durationText, rateText, secondsText } from '../ui/time-text.ts';
import { useWords } from '../words/language.ts';
import { isSeen, type TrendPoint, type TrendSight } from './bin-trend.ts';
import type { Hairline } from './hairline.ts';
import { TrendChart } from './TrendChart.tsx';

/** One bin of all three trends. Null: unknown, or there was none. */
export type TrendRow = {
  readonly at: number;
  readonly waiters: number | null;
  readonly waitP95Ms: number | null;
  readonly handoversPerSecond: number | null;
  readonly sight: Exclude<TrendSight, 'hidden'>;
  /** False if the level at that time hides waits. */
  readonly seesWaits: boolean;
};

type TrendPanelProps = {
  title: string;
  rows: readonly TrendRow[];
  binMicros: number;
  /** Since when the numbers are known; null if that is before the first row. */
  since: number | null;
  /** True if the rows are about a past instant: no rows will be added. */
  isPast: boolean;
  /** Current number of waiters; null if waiters are hidden, or the rows are about the past. */
  waitersNow: number | null;
  /** How long the oldest waiter has waited; null: no known waiter, or the rows are about the past. */
  oldestWait: string | null;
  hairline: Hairline;
};

type Figure = 'waiters' | 'waitP95Ms' | 'handoversPerSecond';

/** Bins joined into one row of the table. */
const JOINED = 6;

/** Three charts of the last minutes (waiters, waits, hand-overs), and the same numbers as a table for screen readers. */
export default function TrendPanel(props: TrendPanelProps) {
  const { title, rows, binMicros, since, isPast, waitersNow, oldestWait, hairline } = props;
  const words = useWords().charts;
  const isEmpty = rows.every((row) => row.sight === 'forgotten');
  const points = useMemo(
    () => ({
      waiters: pointsOf(rows, 'waiters'),
      waitP95Ms: pointsOf(rows, 'waitP95Ms'),
      handoversPerSecond: pointsOf(rows, 'handoversPerSecond'),
    }),
    [rows],
  );
  const plain = { binMicros, hairline };
  const waitsAbsent = isHiddenAll(points.waiters) ? words.trendsHidden : null;
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
            title={waitersNow === null ? words.waiters : `${words.waiters}: ${words.waitersNow(countText(waitersNow))}`}
            shape="area"
            points={points.waiters}
            nothing={words.none}
            textOf={wholeText}
          />
          <TrendChart
            {...plain}
            title={oldestWait === null ? words.waitP95Short : words.waitP95Now(oldestWait)}
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

/** The numbers of the charts, 30 s per row: the maximum of each number. */
const TrendTable = memo(function TrendTable({ title, rows }: { title: string; rows: readonly TrendRow[] }) {
  const words = useWords().charts;
  const groups: TrendRow[][] = [];
  for (let i = 0; i < rows.length; i += JOINED) groups.push(rows.slice(i, i + JOINED));
  const cell = (group: TrendRow[], key: Figure) => {
    const values = group.flatMap((row) => row[key] ?? []);
    if (values.length > 0) return Math.max(...values);
    const points = pointsOf(group, key);
    return points.some(isSeen) ? words.none : words.sight[points[0]?.sight ?? 'forgotten'];
  };
  const said = (value: number | string, textOf: (value: number) => string) =>
    typeof value === 'string' ? value : textOf(value);
  return (
    <div className="only-heard">
      <table>
        <caption>{words.inNumbers(title)}</caption>
        <thead>
          <tr>
            <th scope="col">{words.time}</th>
            <th scope="col">{words.waiters}</th>
            <th scope="col">{words.waitP95}</th>
            <th scope="col">{words.handovers}</th>
          </tr>
        </thead>
        <tbody>
          {groups.map((group) => (
            <tr key={group[0]?.at}>
              <th scope="row">{secondsText(group[0]?.at ?? 0)}</th>
              <td>{said(cell(group, 'waiters'), countText)}</td>
              <td>{said(cell(group, 'waitP95Ms'), durationText)}</td>
              <td>{said(cell(group, 'handoversPerSecond'), rateText)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
});

/** The points of one chart. */
function pointsOf(rows: readonly TrendRow[], key: Figure): TrendPoint[] {
  return rows.map((row) => {
    const { at, sight } = row;
    const isOpen = sight === 'watched' || sight === 'partly';
    return { at, value: row[key], sight: isOpen && !row.seesWaits ? 'hidden' : sight };
  });
}

function isHiddenAll(points: readonly TrendPoint[]): boolean {
  return points.some(({ sight }) => sight === 'hidden') && !points.some(isSeen);
}

function wholeText(count: number): string {
  return countText(count);
}

function lengthText(ms: number): string {
  return durationText(ms);
}
