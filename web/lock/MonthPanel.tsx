import { useMemo, useState } from 'react';
import { redisTime } from '../../shared/base/time.ts';
import type { Hairline } from '../charts/hairline.ts';
import {
  type LockMonth,
  type MonthBin,
  type MonthFigure,
  monthPoints,
  mostExpensive,
} from '../charts/month-of-lock.ts';
import { NumbersTable } from '../charts/NumbersTable.tsx';
import { TrendChart } from '../charts/TrendChart.tsx';
import { timelineIn } from '../cursor/routes-now.ts';
import { countText, dayText, durationText, secondsText } from '../ui/time-text.ts';
import { Link } from '../url/router.tsx';
import { useWords } from '../words/language.ts';
import type { Words } from '../words/words.ts';

/** How many of the most expensive hours or days are named. */
const NAMED = 3;

type MonthPanelProps = {
  name: string;
  month: LockMonth;
  place: { readonly source: string; readonly db: number };
  isOneOfSeveral: boolean;
};

/**
 * Charts of a lock by hours or days: holds, time held, time waited, cost; links to the most expensive ones; a table for
 * screen readers.
 */
export default function MonthPanel({ name, month, place, isOneOfSeveral }: MonthPanelProps) {
  const words = useWords();
  const { month: texts } = words.charts;
  const [hairline] = useState(makeHairline);
  const points = useMemo(
    () => ({
      holds: monthPoints(month, 'holds'),
      heldMs: monthPoints(month, 'heldMs'),
      waitedMs: monthPoints(month, 'waitedMs'),
      causedMs: monthPoints(month, 'causedMs'),
    }),
    [month],
  );
  const { isByHour, binMicros, bins } = month;
  const timeText = isByHour ? secondsText : dayText;
  const title = isByHour ? texts.byHour : texts.byDay;
  const expensive = mostExpensive(month, NAMED);
  const chart = (figure: MonthFigure) => (
    <TrendChart
      title={texts.figure[figure]}
      hint={texts.hint[figure]}
      shape={figure === 'waitedMs' || figure === 'causedMs' ? 'area' : 'line'}
      points={points[figure]}
      binMicros={binMicros}
      nothing={words.charts.none}
      textOf={figure === 'holds' ? countText : lengthText}
      timeText={timeText}
      hairline={hairline}
      problems={[]}
    />
  );
  return (
    <section aria-label={title} className="panel is-wide lock-month">
      <h2>
        {title} {isOneOfSeveral && <span className="quiet">{words.lock.place(place.source, place.db)}</span>}
        <span className="quiet is-right">{words.charts.since(timeText(bins[0]?.at ?? 0))}</span>
      </h2>
      <div className="trends">
        {chart('holds')}
        {chart('heldMs')}
        {chart('waitedMs')}
        {chart('causedMs')}
      </div>
      {expensive.length > 0 && (
        <p>
          {texts.mostExpensive}{' '}
          {expensive.map((bin, n) => (
            <span key={bin.at}>
              {n > 0 && ' · '}
              <Link to={timelineOfBin(bin, binMicros, name)}>{timeText(bin.at)}</Link> (
              {cellText(bin, 'causedMs', words.charts)})
            </span>
          ))}
        </p>
      )}
      <MonthTable title={title} month={month} timeText={timeText} />
    </section>
  );
}

function timelineOfBin({ at }: MonthBin, binMicros: number, lock: string) {
  const { link, ...route } = timelineIn({ from: redisTime(at), to: redisTime(at + binMicros) });
  return { ...route, link: { ...link, lock } };
}

/** A hairline for these charts only, because other panels show minutes. */
function makeHairline(): Hairline {
  const listeners = new Set<(at: number | null) => void>();
  let shown: number | null = null;
  return {
    at: () => shown,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    move: (at) => {
      shown = at;
      for (const listener of listeners) listener(at);
    },
  };
}

type MonthTableProps = { title: string; month: LockMonth; timeText: (at: number) => string };

function MonthTable({ title, month, timeText }: MonthTableProps) {
  const words = useWords().charts;
  const heads = [words.time, ...FIGURES.map((figure) => words.month.figure[figure])];
  const rows = month.bins.map((bin) => ({
    key: bin.at,
    head: timeText(bin.at),
    cells: FIGURES.map((figure) => cellText(bin, figure, words)),
  }));
  return <NumbersTable title={title} heads={heads} rows={rows} />;
}

const FIGURES: readonly MonthFigure[] = ['holds', 'heldMs', 'waitedMs', 'causedMs'];

function cellText(bin: MonthBin, figure: MonthFigure, words: Words['charts']): string {
  const [point] = monthPoints({ bins: [bin] }, figure);
  if (!point || point.value === null) return words.sight[point?.sight ?? 'forgotten'];
  const text = figure === 'holds' ? countText(point.value) : lengthText(point.value);
  return point.isAtLeast ? words.atLeast(text) : text;
}

function lengthText(ms: number): string {
  return ms === 0 ? '0' : durationText(ms);
}
