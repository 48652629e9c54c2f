import { Suspense, useContext, useMemo } from 'react';
import type { Lock } from '../../shared/wire/locks/lock.ts';
import { ShownInstant } from '../cursor/shown-instant.ts';
import { problemFromError } from '../data/http/http.ts';
import { useLockSpans } from '../data/queries/lock-spans.ts';
import { LONGEST_NAME_ASKED, useMemoryEdge } from '../data/queries/queries.ts';
import { useSeesWaiters } from '../parts/people.ts';
import { ErrorBoundary } from '../ui/ErrorBoundary.tsx';
import { lazyPart } from '../ui/lazy-part.tsx';
import { countText, secondsText } from '../ui/time-text.ts';
import { useWords } from '../words/language.ts';
import type { Words } from '../words/words.ts';
import { type History, historyFromSpans, spansUntil } from './lock-histories.ts';

/** Loaded when shown, so that the first page does not load the chart library. */
const LengthChart = lazyPart(() => import('../charts/LengthChart.tsx'));

/** The durations and ends of this lock's holds and waits up to the shown instant. */
export function LockHistories({ lock }: { lock: Lock }) {
  const texts = useWords();
  const words = texts.charts;
  const seesWaiters = useSeesWaiters(lock.source);
  const { data, error } = useLockSpans(lock);
  const at = useContext(ShownInstant);
  const edge = useMemoryEdge();
  const histories = useMemo(() => {
    const spans = data?.spans.filter((span) => span.source === lock.source && span.db === lock.db) ?? [];
    const until = at === null ? spans : spansUntil(spans, at);
    return { holds: historyFromSpans(until, 'hold'), waits: historyFromSpans(until, 'wait') };
  }, [data, lock.source, lock.db, at]);
  if (lock.name.length > LONGEST_NAME_ASKED) return null;
  const since = edge?.isDropped ? secondsText(edge.at) : null;
  const left = [
    ...(data?.truncated === true ? [words.onlyNewest] : []),
    ...(since === null ? [] : [words.sinceMemory(since)]),
  ];
  const unread = error ? problemFromError(error, texts).message : words.opening;
  return (
    <ErrorBoundary what={words.holds}>
      <Suspense fallback={<p className="panel quiet">{words.opening}</p>}>
        <LengthChart
          title={words.holds}
          countOf={(n) => words.holdCount(n, countText(n))}
          lengthsMs={histories.holds.lengthsMs}
          shape="solid"
          ends={endsOf(histories.holds, words.holdEnds)}
          still={stillOf(histories.holds, words)}
          notes={[...notesOf(histories.holds, words), ...left]}
          empty={data ? words.noHoldOver : unread}
        />
        <LengthChart
          title={words.waits}
          countOf={(n) => words.waitCount(n, countText(n))}
          lengthsMs={histories.waits.lengthsMs}
          shape="hatched"
          ends={endsOf(histories.waits, words.waitEnds)}
          still={stillOf(histories.waits, words)}
          notes={[...notesOf(histories.waits, words), ...left]}
          empty={!data ? unread : seesWaiters ? words.noWaitOver : words.notSeenAtLevel}
        />
      </Suspense>
    </ErrorBoundary>
  );
}

type Ends = Readonly<Record<string, (n: string) => string>>;

function endsOf({ ends }: History, texts: Ends): string[] {
  return ends.map(({ how, count }) => texts[how]?.(countText(count)) ?? `${countText(count)} ${how}`);
}

function stillOf({ open }: History, words: Words['charts']): string | null {
  return open > 0 ? words.still(countText(open)) : null;
}

function notesOf({ unmeasured }: History, words: Words['charts']): string[] {
  return unmeasured > 0 ? [words.unmeasured(unmeasured, countText(unmeasured))] : [];
}
