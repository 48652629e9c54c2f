import { wantedBy } from '../../shared/insights/attention.ts';
import type { Lock } from '../../shared/wire/locks/lock.ts';
import { oldestListening, waitedLocks } from '../../shared/wire/locks/lock-facts.ts';
import { lockNow } from '../cursor/routes-now.ts';
import { usePacedLive } from '../data/live/use-live.ts';
import { noWaitersText } from '../parts/lock-words.ts';
import { Person } from '../parts/Person.tsx';
import { NameText } from '../ui/NameText.tsx';
import { PlainTable } from '../ui/PlainTable.tsx';
import { secondsText } from '../ui/time-text.ts';
import { Link } from '../url/router.tsx';
import { useWords } from '../words/language.ts';

const OF_LOCKS = ['locks'] as const;
/** The most locks listed. */
const MOST_ROWS = 50;

/** Returns the locks for which clients wait or listen, the lock with the oldest listener first. */
export function useListenedLocks(): readonly Lock[] {
  const { locks } = usePacedLive(OF_LOCKS);
  const since = (lock: Lock) => oldestListening(lock)?.at ?? Number.POSITIVE_INFINITY;
  return [...locks.values()].filter((lock) => wantedBy(lock) > 0).sort((a, b) => since(a) - since(b));
}

/** The locks for which clients listen, where the waiting threads are not visible. */
export function ListenedLocks({ locks }: { locks: readonly Lock[] }) {
  const { graph: texts, lock: words } = useWords();
  const { lock: lockHead, holder, since } = texts.head;
  return (
    <section className="panel graph-list as-cards">
      <h2>{texts.listenedFor(waitedLocks(locks))}</h2>
      <p>{texts.threadsUnseen}</p>
      <PlainTable
        label={texts.list}
        boxLabel={texts.list}
        heads={[lockHead, texts.listeners, holder, since]}
        more={Math.max(0, locks.length - MOST_ROWS)}
      >
        {locks.slice(0, MOST_ROWS).map((lock) => (
          <tr key={lock.id}>
            <td data-label={lockHead}>
              <Link to={lockNow(lock)}>
                <NameText text={lock.name} most={80} isOneLine />
              </Link>
            </td>
            <td data-label={texts.listeners}>{noWaitersText(lock, 'level', words)}</td>
            <td data-label={holder}>
              <HolderOf lock={lock} />
            </td>
            <td data-label={since}>
              <SinceBefore lock={lock} />
            </td>
          </tr>
        ))}
      </PlainTable>
    </section>
  );
}

function HolderOf({ lock }: { lock: Lock }) {
  const { common, lock: words } = useWords();
  const [holder] = lock.holders;
  if (!holder) return <span className="quiet">{lock.held ? words.heldByUnknownShort : words.free}</span>;
  const others = lock.holders.length - 1;
  return (
    <>
      <Person lockId={lock.id} {...holder} isAmongLocks /> {others > 0 && common.andMore(others)}
    </>
  );
}

function SinceBefore({ lock }: { lock: Lock }) {
  const { graph: texts } = useWords();
  const since = oldestListening(lock);
  return since === null ? null : texts.beforeClock(secondsText(since.at));
}
