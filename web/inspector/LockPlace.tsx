import { keySlot } from '../../shared/base/key-slot.ts';
import type { Lock } from '../../shared/wire/lock.ts';
import type { Source } from '../../shared/wire/source.ts';
import { useLive } from '../data/use-live.ts';
import { useWords } from '../words/language.ts';

/** Where a lock is: its source and database, and in a cluster its server and slot. */
export function LockPlace({ lock }: { lock: Lock }) {
  const { lock: words, servers } = useWords();
  const source = useSource(lock.source);
  const slot = slotOf(lock, source);
  const isFollowed = source?.topology !== undefined && source.topology !== 'single';
  return (
    <>
      <span>{words.place(lock.source, lock.db)}</span>
      {isFollowed && source.node !== undefined && <span>{servers.onNode(source.node)}</span>}
      {slot !== null && <span>{servers.slot(slot)}</span>}
      <Unwatched source={source} />
    </>
  );
}

/** The same in short, for a row: the slot stands in a cluster for the database, of which it has one. */
export function ShortPlace({ lock, hasManySources }: { lock: Lock; hasManySources: boolean }) {
  const { lock: words, servers } = useWords();
  const source = useSource(lock.source);
  const slot = slotOf(lock, source);
  if (!hasManySources && slot === null && lock.db === 0) return null;
  return (
    <span className="where">
      {slot !== null
        ? servers.shortSlot(lock.source, slot)
        : hasManySources
          ? words.shortPlace(lock.source, lock.db)
          : words.shortDb(lock.db)}{' '}
      {hasManySources && <Unwatched source={source} />}
    </span>
  );
}

/** Of what nobody watches, all that is shown is how it was. */
function Unwatched({ source }: { source: Source | undefined }) {
  const words = useWords().lock;
  if (source === undefined || source.status === 'observing') return null;
  return <span className="member-unseen">{words.notWatched}</span>;
}

function useSource(id: string): Source | undefined {
  return useLive((state) => state.sources.find((source) => source.id === id));
}

/** Of a past instant nobody told the slot; it never changes. */
function slotOf(lock: Lock, source: Source | undefined): number | null {
  if (lock.slot !== undefined) return lock.slot;
  return source?.topology === 'cluster' ? keySlot(lock.name) : null;
}
