import '../charts/charts.css';
import { Suspense, useMemo } from 'react';
import { type RedisTime, redisTime } from '../../shared/base/time.ts';
import type { TrendBin } from '../../shared/wire/trends.ts';
import type { Hairline } from '../charts/hairline.ts';
import type { TrendRow } from '../charts/trend-points.ts';
import { hoverTime, onHoverTime, setHoverTime } from '../cursor/hover-time.ts';
import { useRange } from '../cursor/range.ts';
import { problemFromError } from '../data/http/http.ts';
import { useFromRedisNow, useIsOpenRecording } from '../data/live/use-live.ts';
import { useProblemLog } from '../data/queries/problem-log.ts';
import { TREND_MICROS, type TrendsOfTime, useTrends } from '../data/queries/use-trends.ts';
import type { OldestWait } from '../locks/lock-list.ts';
import { ErrorBoundary } from '../ui/ErrorBoundary.tsx';
import { lazyPart } from '../ui/lazy-part.tsx';
import { ageText, endTexts, secondsText } from '../ui/time-text.ts';
import { type ChosenRange, isSpan } from '../url/range.ts';
import { useWords } from '../words/language.ts';
import type { Words } from '../words/words.ts';

/** Loaded when shown, so that the first page does not load the chart library. */
const TrendPanel = lazyPart(() => import('../charts/TrendPanel.tsx'));

/** A hairline at the instant under the pointer, or else at the shown instant. */
function hairlineOf(shown: RedisTime | null): Hairline {
  return {
    at: () => hoverTime() ?? shown,
    subscribe: (listener) => onHoverTime((at) => listener(at ?? shown)),
    move: (at) => setHoverTime(at === null ? null : redisTime(at)),
  };
}

const MINUTES = TREND_MICROS / 60_000_000;

type OverviewTrendsProps = {
  /** The shown instant; null: now. */
  at: RedisTime | null;
  /** The current number of waiters, and the oldest wait. Null: not known, no waiter, or a past instant is shown. */
  waitersNow: number | null;
  oldestWait: OldestWait | null;
};

/**
 * Trends of all locks: waiters, their waits and hand-overs of the chosen range. If none is chosen, of the last minutes
 * or of the minutes around an instant.
 */
export default function OverviewTrends({ at, waitersNow, oldestWait }: OverviewTrendsProps) {
  const words = useWords();
  const { charts } = words;
  const range = useRange();
  const { data, error } = useTrends(at, range);
  const isRecording = useIsOpenRecording();
  const title = titleOf(at, range, isRecording, words);
  return (
    <section aria-label={title} className="panel trend-panel">
      <ErrorBoundary what={title}>
        <Suspense fallback={<p className="quiet">{charts.opening}</p>}>
          {data ? (
            <Panel title={title} trends={data} at={at} waitersNow={waitersNow} oldestWait={oldestWait} />
          ) : (
            <>
              <h2>{title}</h2>
              <p className="quiet">{error ? problemFromError(error, words).message : charts.opening}</p>
            </>
          )}
        </Suspense>
      </ErrorBoundary>
    </section>
  );
}

function titleOf(at: RedisTime | null, range: ChosenRange | null, isRecording: boolean, words: Words): string {
  const { charts, range: ranges } = words;
  if (isSpan(range)) return ranges.between(...endTexts(range.from, range.to));
  if (at !== null) return range === null ? charts.around(MINUTES, secondsText(at)) : ranges.before(range);
  return isRecording ? charts.lastMinutesOfRecording(range ?? MINUTES) : charts.lastMinutes(range ?? MINUTES);
}

type PanelProps = { title: string; trends: TrendsOfTime } & OverviewTrendsProps;

function Panel({ title, trends, at, waitersNow, oldestWait }: PanelProps) {
  const words = useWords().lock;
  const age = useFromRedisNow(oldestWait?.source, (now) =>
    oldestWait && now !== null ? ageText(Math.max(0, (now - oldestWait.at) / 1000)) : null,
  );
  const hairline = useMemo(() => hairlineOf(at), [at]);
  const log = useProblemLog();
  const problems = useMemo(
    () => (log ?? []).map(({ seq, from, severity }) => ({ seq, at: from, isCritical: severity === 'critical' })),
    [log],
  );
  const { bins, binMicros, since } = trends;
  const longest = useMemo(() => Math.max(0, ...bins.map((bin) => bin.oldestWaitMs ?? 0)), [bins]);
  const isAbove = useFromRedisNow(
    oldestWait?.source,
    (now) => oldestWait !== null && now !== null && (now - oldestWait.at) / 1000 > longest,
  );
  const rows = useMemo(() => bins.map((bin) => rowFromBin(bin, binMicros)), [bins, binMicros]);
  return (
    <TrendPanel
      title={title}
      rows={rows}
      binMicros={binMicros}
      since={since}
      isPast={at !== null}
      waitersNow={waitersNow}
      oldestWait={age !== null && oldestWait?.isAtLeast ? words.moreThan(age) : age}
      isOldestWaitAbove={isAbove}
      hairline={hairline}
      problems={problems}
    />
  );
}

function rowFromBin({ handovers, seen, waitsSeen, ...bin }: TrendBin, binMicros: number): TrendRow {
  const handoversPerSecond = handovers === null ? null : handovers / (binMicros / 1_000_000);
  return { ...bin, handoversPerSecond, sight: seen, seesWaits: waitsSeen };
}
