import { countedBy } from '../../../shared/events/kinds/kinds.ts';
import { wantedBy } from '../../../shared/insights/attention.ts';
import type { Lock } from '../../../shared/wire/locks/lock.ts';
import { waiterCount } from '../../../shared/wire/locks/lock-facts.ts';
import { noWaitersText, waitersText } from '../../parts/lock-words.ts';
import { Person } from '../../parts/Person.tsx';
import { useHidesWaiters } from '../../parts/people.ts';
import { useWords } from '../../words/language.ts';

const WAITERS_NAMED = 1;

/** How many threads wait for a lock, and the first of them. */
export function WaitersCell({ lock }: { lock: Lock }) {
  const words = useWords().lock;
  const hidden = useHidesWaiters(lock);
  if (waiterCount(lock) === 0) {
    if (wantedBy(lock) > 0) {
      const meaning = countedBy(lock.kind) === 'latch' ? words.latchListeningMeaning : words.listeningMeaning;
      return <span title={meaning}>{noWaitersText(lock, hidden, words)}</span>;
    }
    if (hidden === null) {
      return (
        <span className="nothing" title={words.nobody}>
          –
        </span>
      );
    }
    return (
      <span className="nothing" title={words.waitersHiddenWhy}>
        {words.waitersHidden}
      </span>
    );
  }
  const rest = waiterCount(lock) - Math.min(lock.waiters.length, WAITERS_NAMED);
  const isInLine = lock.waiters.some(({ position }) => position !== null);
  return (
    <span className="waiters">
      <b className="waiter-count">{waitersText(lock, hidden, words)}</b>
      {lock.waiters.slice(0, WAITERS_NAMED).map((waiter) => (
        <span key={`${waiter.id} ${waiter.mode}`} className={waiter.presumedGone ? 'is-presumed-gone' : ''}>
          <Person lockId={lock.id} {...waiter} most={24} isAmongLocks />
          {waiter.presumedGone && ` ${words.presumedGone}`}
        </span>
      ))}
      {rest > 0 && !isInLine && <span className="more">+{words.figure(rest)}</span>}
    </span>
  );
}
