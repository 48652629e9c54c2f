import '../styles/waits.css';
import { millisBetween, type RedisTime } from '../../shared/base/time.ts';
import { AsOfBanner } from '../cursor/AsOfBanner.tsx';
import { useCursor } from '../cursor/cursor.ts';
import { ForgottenInstant } from '../cursor/ForgottenInstant.tsx';
import { LinkNotices } from '../cursor/LinkNotices.tsx';
import { timelineIn } from '../cursor/routes-now.ts';
import { useMomentLink } from '../cursor/use-moment-link.ts';
import { problemFromError } from '../data/http.ts';
import { forgottenOf } from '../data/past-locks.ts';
import { type AskedStretch, useWaits } from '../data/waits.ts';
import { NotWatching, useNoSight } from '../inspector/NotWatching.tsx';
import { EmptyState } from '../ui/Notice.tsx';
import { Segments } from '../ui/Segments.tsx';
import { durationText, millisText } from '../ui/time-text.ts';
import type { WaitsRoute } from '../url/route.ts';
import { Link, navigate } from '../url/router.tsx';
import { WAITS_MINUTES } from '../url/waits-link.ts';
import { WaitsView } from '../waits/WaitsView.tsx';
import { useWords } from '../words/language.ts';

/** What waits were spent on, over all locks: in a stretch, or in the last minutes before now or before the cursor. */
export default function WaitsPage({ route }: { route: WaitsRoute }) {
  useMomentLink(route);
  const cursor = useCursor();
  const { waits: said } = useWords();
  const noSight = useNoSight();
  const { stretch, minutes } = route;
  const at = cursor.mode === 'paused' ? cursor.at : null;
  const isNow = stretch === null && at === null;
  return (
    <div className="page">
      <header className="page-head">
        <h1 tabIndex={-1}>{said.title}</h1>
      </header>
      <LinkNotices route={route} />
      {stretch === null && <AsOfBanner />}
      <Stretch route={route} isNow={isNow} />
      {noSight && isNow ? (
        <NotWatching noSight={noSight} />
      ) : (
        <WaitsOf route={route} asked={askedOf(stretch, at, minutes)} at={stretch === null ? at : null} />
      )}
    </div>
  );
}

function askedOf(stretch: WaitsRoute['stretch'], at: RedisTime | null, minutes: number): AskedStretch {
  if (stretch) return { from: stretch.from, to: stretch.to };
  const micros = minutes * 60_000_000;
  return at === null ? { lastMicros: micros } : { from: at - micros, to: at };
}

/** The shown stretch, and how to choose another one. */
function Stretch({ route, isNow }: { route: WaitsRoute; isNow: boolean }) {
  const { waits: said } = useWords();
  const { stretch } = route;
  if (!stretch) {
    return (
      <div className="waits-stretch-choice">
        <Segments
          label={said.stretch}
          value={String(route.minutes)}
          options={WAITS_MINUTES.map((each) => ({
            value: String(each),
            label: isNow ? said.last(each) : said.before(each),
          }))}
          onChange={(value) => {
            const minutes = WAITS_MINUTES.find((each) => String(each) === value) ?? 5;
            navigate({ ...route, minutes }, { replace: true });
          }}
        />
      </div>
    );
  }
  const { from, to } = stretch;
  return (
    <p className="waits-stretch">
      <b>{said.between(millisText(from), millisText(to), durationText(millisBetween(from, to)))}</b>
      <button type="button" className="button is-small" onClick={() => navigate({ ...route, stretch: null })}>
        {said.backToLast}
      </button>
      <Link to={timelineIn(stretch)}>{said.inTimeline}</Link>
    </p>
  );
}

/** `at`: the cursor, if the stretch ends there. */
function WaitsOf({ route, asked, at }: { route: WaitsRoute; asked: AskedStretch; at: RedisTime | null }) {
  const words = useWords();
  const { data, error } = useWaits(asked);
  const forgotten = forgottenOf(error);
  if (forgotten && at !== null) return <ForgottenInstant at={at} forgotten={forgotten} />;
  if (error) {
    const { message, hint } = problemFromError(error, words);
    return (
      <EmptyState title={message}>
        <p>{hint}</p>
      </EmptyState>
    );
  }
  return data ? <WaitsView waits={data} route={route} /> : <EmptyState title={words.waits.reading} />;
}
