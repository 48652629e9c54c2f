import '../waits/waits.css';
import type { RedisTime } from '../../shared/base/time.ts';
import { AsOfBanner } from '../cursor/AsOfBanner.tsx';
import { useCursor } from '../cursor/cursor.ts';
import { ForgottenInstant } from '../cursor/ForgottenInstant.tsx';
import { LinkNotices } from '../cursor/LinkNotices.tsx';
import { useMomentLink } from '../cursor/use-moment-link.ts';
import { problemFromError } from '../data/http/http.ts';
import { forgottenOf } from '../data/queries/past-locks.ts';
import { useHasStore } from '../data/queries/queries.ts';
import { useWaits } from '../data/queries/waits.ts';
import { AsLastKnown } from '../parts/AsLastKnown.tsx';
import { useNoSight } from '../parts/NotWatching.tsx';
import { useReadNow } from '../range/use-read-now.ts';
import { EmptyState } from '../ui/Notice.tsx';
import { type ChosenRange, isSpan, type LinkSpan, spanBefore, spanOf } from '../url/range.ts';
import type { WaitsRoute } from '../url/route.ts';
import { USUAL_MINUTES } from '../url/waits-link.ts';
import { askedOf } from '../waits/asked.ts';
import { Comparison, MOST_COMPARED } from '../waits/compare/Comparison.tsx';
import { LongCosts } from '../waits/LongCosts.tsx';
import { Ranges } from '../waits/Ranges.tsx';
import { WaitsView } from '../waits/WaitsView.tsx';
import { useWords } from '../words/language.ts';
import { BlockingTabs } from './BlockingTabs.tsx';

/**
 * What waits were spent on, over all locks: in a range, or in the last minutes before now or before the cursor. To
 * compare, the user can add another range.
 */
export default function WaitsPage({ route }: { route: WaitsRoute }) {
  useMomentLink(route);
  const cursor = useCursor();
  const { waits: texts } = useWords();
  const noSight = useNoSight();
  const { range = USUAL_MINUTES, compared } = route;
  const isFixed = isSpan(range) && (compared === null || compared === 'before' || isSpan(compared));
  const isLong = useHasStore() && isSpan(range) && range.to - range.from > HOUR_MICROS;
  const readNow = useReadNow();
  const at = cursor.mode === 'paused' ? cursor.at : null;
  const isNow = !isSpan(range) && at === null;
  return (
    <div className="page">
      <header className="page-head">
        <h1 tabIndex={-1}>{texts.title}</h1>
        <BlockingTabs shown="cost" />
      </header>
      <LinkNotices route={route} />
      {!isFixed && <AsOfBanner />}
      <Ranges route={route} at={at} />
      {isLong ? (
        <LongCosts span={range} against={compared === null ? null : againstOf(compared, range, at ?? readNow())} />
      ) : noSight && isNow && compared === null ? (
        <AsLastKnown noSight={noSight}>
          {(lastKnownAt) => <WaitsOf route={route} chosen={range} at={lastKnownAt} />}
        </AsLastKnown>
      ) : (
        <WaitsOf route={route} chosen={range} at={at} />
      )}
    </div>
  );
}

/** With a store, longer ranges are ranked by the server, from statistics if memory does not have them. */
const HOUR_MICROS = 3_600_000_000;

/** The range to compare with. Minutes end at `end`, in µs. */
function againstOf(compared: NonNullable<WaitsRoute['compared']>, range: LinkSpan, end: number): LinkSpan {
  return compared === 'before' ? spanBefore(range) : spanOf(compared, end);
}

type WaitsOfProps = {
  route: WaitsRoute;
  chosen: ChosenRange;
  /** The cursor, or the instant at which Redis was last watched; null: now is shown. */
  at: RedisTime | null;
};

function WaitsOf({ route: { compared }, chosen, at }: WaitsOfProps) {
  const words = useWords();
  const { data, error, isPlaceholderData } = useWaits(
    askedOf(chosen, at),
    compared === null ? undefined : MOST_COMPARED,
  );
  if (compared !== null) {
    const current = error || isPlaceholderData ? undefined : data;
    return <Comparison one={current} error={error} compared={compared} at={at} />;
  }
  const forgotten = forgottenOf(error);
  if (forgotten && at !== null && !isSpan(chosen)) return <ForgottenInstant at={at} forgotten={forgotten} />;
  if (error) {
    const { message, hint } = problemFromError(error, words);
    return (
      <EmptyState title={message}>
        <p>{hint}</p>
      </EmptyState>
    );
  }
  return data ? <WaitsView waits={data} /> : <EmptyState title={words.waits.reading} />;
}
