import { Suspense, useContext } from 'react';
import { monthOfLock } from '../charts/month-of-lock.ts';
import { ShownInstant } from '../cursor/shown-instant.ts';
import { useLockHours } from '../data/queries/lock-spans.ts';
import { ErrorBoundary } from '../ui/ErrorBoundary.tsx';
import { lazyPart } from '../ui/lazy-part.tsx';
import { useWords } from '../words/language.ts';

/** Loaded when shown, so that the first page does not load the chart library. */
const MonthPanel = lazyPart(() => import('./MonthPanel.tsx'));

type LockMonthProps = { name: string; source: string | null; db: number | null };

/**
 * The hours or days of a lock that the store has counted. Renders nothing without a store, or if the store has nothing
 * about the lock.
 */
export function LockMonth({ name, source, db }: LockMonthProps) {
  const words = useWords().charts;
  const { data } = useLockHours({ name, source, db }, useContext(ShownInstant));
  if (!data) return null;
  return data.locks.map((lock) => {
    const month = monthOfLock(data, lock);
    return (
      month && (
        <ErrorBoundary key={`${lock.db} ${lock.source}`} what={words.month.title}>
          <Suspense fallback={<p className="panel quiet">{words.opening}</p>}>
            <MonthPanel name={name} month={month} place={lock} isOneOfSeveral={data.locks.length > 1} />
          </Suspense>
        </ErrorBoundary>
      )
    );
  });
}
