import { Suspense, useMemo } from 'react';
import type { Lock } from '../../shared/wire/lock.ts';
import { LONGEST_NAME_ASKED, useLockSpans } from '../data/queries.ts';
import { ErrorBoundary } from '../ui/ErrorBoundary.tsx';
import { lazyPart } from '../ui/lazy-part.tsx';
import { countText } from '../ui/time-text.ts';
import { useWords } from '../words/language.ts';
import type { Words } from '../words/words.ts';
import { type History, historyFromSpans } from './lock-histories.ts';
import { useSeesWaiters } from './people.ts';

/** Loaded when shown: the first page does without the library behind it. */
const LengthChart = lazyPart(() => import('../charts/LengthChart.tsx'));

/** How long this lock was held and waited for so far, and how that ended. */
export function LockHistories({ lock }: { lock: Lock }) {
  const words = useWords().charts;
  const seesWaiters = useSeesWaiters(lock.source);
  const { data } = useLockSpans(lock);
  const histories = useMemo(() => {
    const spans = data?.spans.filter((span) => span.source === lock.source && span.db === lock.db) ?? [];
    return { holds: historyFromSpans(spans, 'hold'), waits: historyFromSpans(spans, 'wait') };
  }, [data, lock.source, lock.db]);
  if (lock.name.length > LONGEST_NAME_ASKED) return null;
  const isCut = data?.truncated === true;
  return (
    <ErrorBoundary what={words.holds}>
      <Suspense fallback={<p className="panel quiet">{words.opening}</p>}>
        <LengthChart
          title={words.holds}
          countOf={(n) => words.holdCount(n, countText(n))}
          lengthsMs={histories.holds.lengthsMs}
          shape="solid"
          ends={endsOf(histories.holds, words, words.holdEnds)}
          notes={notesOf(histories.holds, words, isCut)}
          empty={words.noHoldOver}
        />
        <LengthChart
          title={words.waits}
          countOf={(n) => words.waitCount(n, countText(n))}
          lengthsMs={histories.waits.lengthsMs}
          shape="hatched"
          ends={endsOf(histories.waits, words, words.waitEnds)}
          notes={notesOf(histories.waits, words, isCut)}
          empty={seesWaiters ? words.noWaitOver : words.notSeenAtLevel}
        />
      </Suspense>
    </ErrorBoundary>
  );
}

type Ends = Readonly<Record<string, (n: string) => string>>;

function endsOf({ ends, open }: History, words: Words['charts'], said: Ends): string[] {
  const texts = ends.map(({ how, count }) => said[how]?.(countText(count)) ?? `${countText(count)} ${how}`);
  return open > 0 ? [...texts, words.still(countText(open))] : texts;
}

function notesOf({ unmeasured }: History, words: Words['charts'], isCut: boolean): string[] {
  return [
    ...(unmeasured > 0 ? [words.unmeasured(unmeasured, countText(unmeasured))] : []),
    ...(isCut ? [words.onlyNewest] : []),
  ];
}
