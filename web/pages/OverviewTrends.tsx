import { Suspense } from 'react';
import { redisTime } from '../../shared/base/time.ts';
import type { Hairline } from '../charts/hairline.ts';
import { hoverTime, onHoverTime, setHoverTime } from '../cursor/hover-time.ts';
import { TREND_BIN_MICROS, TREND_MICROS } from '../data/trend-recorder.ts';
import { useLive } from '../data/use-live.ts';
import { useTrends } from '../data/use-trends.ts';
import { ErrorBoundary } from '../ui/ErrorBoundary.tsx';
import { lazyPart } from '../ui/lazy-part.tsx';
import { useWords } from '../words/language.ts';

/** Loaded when shown: the first page does without the library behind it. */
const TrendPanel = lazyPart(() => import('../charts/TrendPanel.tsx'));

const HAIRLINE: Hairline = {
  at: hoverTime,
  subscribe: onHoverTime,
  move: (at) => setHoverTime(at === null ? null : redisTime(at)),
};
const MINUTES = TREND_MICROS / 60_000_000;

/** The last minutes of all locks: waiters, waits, renewals. */
export function OverviewTrends({ waitersNow }: { waitersNow: number }) {
  const words = useWords().charts;
  const trends = useTrends();
  const isRecording = useLive((state) => state.sources.some((source) => source.recording?.playing === false));
  const title = isRecording ? words.lastMinutesOfRecording(MINUTES) : words.lastMinutes(MINUTES);
  return (
    <section aria-label={title} className="panel trend-panel">
      <ErrorBoundary what={title}>
        <Suspense fallback={<p className="quiet">{words.opening}</p>}>
          {trends ? (
            <TrendPanel
              title={title}
              rows={trends.bins}
              binMicros={TREND_BIN_MICROS}
              since={trends.since}
              seesWaits={trends.seesWaits}
              seesRenewals={trends.seesRenewals}
              waitersNow={waitersNow}
              hairline={HAIRLINE}
            />
          ) : (
            <>
              <h2>{title}</h2>
              <p className="quiet">{words.collecting}</p>
            </>
          )}
        </Suspense>
      </ErrorBoundary>
    </section>
  );
}
