import { type RedisTime, redisTime } from '../../shared/base/time.ts';
import type { Lock } from '../../shared/wire/locks/lock.ts';
import { AsOfBanner } from '../cursor/AsOfBanner.tsx';
import { ForgottenInstant } from '../cursor/ForgottenInstant.tsx';
import { LinkNotices } from '../cursor/LinkNotices.tsx';
import { ShownInstant, ShownSight, useSightThen } from '../cursor/shown-instant.ts';
import { problemFromError } from '../data/http/http.ts';
import { useLive } from '../data/live/use-live.ts';
import { forgottenOf } from '../data/queries/past-locks.ts';
import { useLockAt } from '../data/queries/queries.ts';
import { useSightAt } from '../data/queries/use-trends.ts';
import { NameText } from '../ui/NameText.tsx';
import { EmptyState } from '../ui/Notice.tsx';
import { millisText } from '../ui/time-text.ts';
import type { LockRoute } from '../url/route.ts';
import { useWords } from '../words/language.ts';
import { LockDetails, LockEvents, LockLinks } from './LockDetails.tsx';

type LockAsOfProps = { name: string; lock: Lock | undefined; at: RedisTime; route: LockRoute };

/** One lock as it was at the cursor. The server computes it from the events up to that instant. */
export function LockAsOf({ name, lock, at, route }: LockAsOfProps) {
  const words = useWords();
  const source = lock?.source ?? route.source;
  const db = lock?.db ?? route.db;
  const firstSource = useLive((state) => state.sources[0]?.id ?? '');
  const then = useLockAt({ name, source, db }, at);
  const sight = useSightThen(useSightAt(at));
  const seen = then.error ? undefined : then.data;
  if (seen?.lock) {
    return (
      <ShownInstant value={redisTime(seen.at)}>
        <ShownSight value={sight}>
          <LockDetails lock={seen.lock} now={lock} route={route} />
        </ShownSight>
      </ShownInstant>
    );
  }
  const forgotten = forgottenOf(then.error);
  const time = millisText(at);
  const problem = then.error ? problemFromError(then.error, words) : null;
  return (
    <div className="page">
      <header className="page-head">
        <h1 tabIndex={-1}>
          <NameText text={name} most={120} />
        </h1>
        <LockLinks name={name} />
      </header>
      <LinkNotices route={route} />
      <AsOfBanner />
      {forgotten ? (
        <ForgottenInstant at={at} forgotten={forgotten} />
      ) : then.isPending ? (
        <EmptyState title={words.moment.reading(time)} />
      ) : (
        <EmptyState title={problem?.message ?? words.pastInstant.notThen(time)}>
          <p>{problem?.hint ?? words.pastInstant.notThenHint}</p>
        </EmptyState>
      )}
      <LockEvents lock={{ name, source: source ?? firstSource, db: db ?? 0 }} route={route} />
    </div>
  );
}
