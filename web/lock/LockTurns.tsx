import { useContext, useMemo, useRef } from 'react';
import { isCounterKind } from '../../shared/events/kinds/kinds.ts';
import { type LongestWait, type Turns, turnsOf } from '../../shared/spans/turns.ts';
import type { Lock } from '../../shared/wire/locks/lock.ts';
import { ShownInstant } from '../cursor/shown-instant.ts';
import { problemFromError } from '../data/http/http.ts';
import { useRecentSpans } from '../data/queries/lock-spans.ts';
import { LONGEST_NAME_ASKED } from '../data/queries/queries.ts';
import { useUnwatched } from '../data/queries/unwatched.ts';
import { Fact } from '../parts/Fact.tsx';
import { noTurnsText } from '../parts/lock-words.ts';
import { Person } from '../parts/Person.tsx';
import { useSeesWaiters } from '../parts/people.ts';
import { countText, durationText, rateText } from '../ui/time-text.ts';
import { useWords } from '../words/language.ts';
import type { Words } from '../words/words.ts';

/**
 * How the lock passes from thread to thread: the rate, the longest wait, and the expected mean wait of a new waiter.
 */
export function LockTurns({ lock }: { lock: Lock }) {
  const texts = useWords();
  const { charts, remedies: words } = texts;
  const seesWaiters = useSeesWaiters(lock.source);
  const { turns, error } = useTurns(lock);
  if (isCounterKind(lock.kind) || lock.name.length > LONGEST_NAME_ASKED) return null;
  return (
    <section aria-label={words.turns} className="card lock-turns">
      <h2>{words.turns}</h2>
      {!seesWaiters ? (
        <p className="quiet">{charts.notSeenAtLevel}</p>
      ) : turns === null ? (
        <p className="quiet">{error ? problemFromError(error, texts).message : charts.opening}</p>
      ) : turns.handovers === 0 && turns.longest === null ? (
        <p className="quiet">{noTurnsText(turns, words)}</p>
      ) : (
        <TurnFacts turns={turns} lock={lock} />
      )}
    </section>
  );
}

function TurnFacts({ turns, lock }: { turns: Turns; lock: Lock }) {
  const { remedies: words } = useWords();
  const { handovers, rangeMs, perSecond, waiting, longest, newcomerMs } = turns;
  const rate = perSecond === null ? null : rateText(perSecond);
  const span = durationText(Math.round(rangeMs / 1000) * 1000);
  return (
    <dl className="facts">
      <Fact name={words.rate}>
        {rate === null ? words.tooFew(countText(handovers), span) : words.rateText(rate, countText(handovers), span)}
      </Fact>
      {longest && (
        <Fact name={words.longest}>
          <Person lockId={lock.id} id={longest.holder} {...personIn(lock, longest.holder)} />,{' '}
          {[words.longestText(durationText(longest.ms), longest.isOpen), ...orderText(longest, words)].join('; ')}
        </Fact>
      )}
      <Fact name={words.newcomer}>
        {newcomerMs === null || rate === null
          ? words.newcomerUnknown
          : words.newcomerText(durationText(newcomerMs), countText(waiting), rate)}
      </Fact>
    </dl>
  );
}

/** Whether other threads acquired the lock first. Empty if that is not known. */
function orderText({ overtaken, isWhole }: LongestWait, words: Words['remedies']): string[] {
  if (overtaken > 0) return [words.overtaken(overtaken, countText(overtaken), isWhole)];
  return isWhole ? [words.inOrder] : [];
}

function personIn({ holders, waiters }: Lock, id: string): { name?: string | null } {
  const known = [...waiters, ...holders].find((each) => each.id === id);
  return known ? { name: known.name } : {};
}

function waitingFor({ waiters, moreWaiters = 0 }: Lock): number {
  return waiters.filter(({ presumedGone }) => !presumedGone).length + moreWaiters;
}

/** Computed when spans arrive. Null until they are known; `error`: they could not be read. */
function useTurns(lock: Lock): { turns: Turns | null; error: unknown } {
  const { data, error } = useRecentSpans(lock, useContext(ShownInstant));
  const unwatched = useUnwatched();
  const { source } = lock;
  const waiting = waitingFor(lock);
  const newest = useRef(waiting);
  newest.current = waiting;
  const turns = useMemo(() => {
    if (!data || !unwatched) return null;
    const { at, spans, truncated } = data;
    const bounds = [
      unwatched.droppedTo ?? 0,
      ...unwatched.times.flatMap((time) => (time.source === source && time.to <= at ? [time.to] : [])),
      ...(truncated ? [Math.min(...spans.flatMap(({ to }) => to ?? []))] : []),
    ];
    return turnsOf(spans, { waiting: newest.current, now: at, wholeFrom: Math.max(...bounds) });
  }, [data, unwatched, source]);
  return { turns, error };
}
