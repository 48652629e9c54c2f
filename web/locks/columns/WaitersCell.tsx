import { countedBy } from '../../../shared/events/kinds/kinds.ts';
import { wantedBy } from '../../../shared/insights/attention.ts';
import type { Lock } from '../../../shared/wire/locks/lock.ts';
import { waiterCount } from '../../../shared/wire/locks/lock-facts.ts';
import { noWaitersText, waitersText } from '../../parts/lock-words.ts';
import { Person } from '../../parts/Person.tsx';
import { useHidesWaiters } from '../../parts/people.ts';
import { useWords } from '../../words/language.ts';

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
  const [first] = lock.waiters;
  return (
    <span className="waiters">
      <b className="waiter-count">{waitersText(lock, hidden, words)}</b>
      {first !== undefined && (
        <span {...(first.presumedGone && { className: 'is-presumed-gone', title: words.presumedGone })}>
          <Person lockId={lock.id} {...first} most={24} isAmongLocks />
          {first.presumedGone && ` ${words.presumedGone}`}
        </span>
      )}
    </span>
  );
}
