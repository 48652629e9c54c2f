import { useContext } from 'react';
import { keySlot } from '../../shared/base/key-slot.ts';
import type { Lock } from '../../shared/wire/locks/lock.ts';
import type { Source } from '../../shared/wire/source.ts';
import { isWatched } from '../../shared/wire/watched.ts';
import { ShownInstant } from '../cursor/shown-instant.ts';
import { isCutOff, type LiveState } from '../data/live/live-state.ts';
import { useLive } from '../data/live/use-live.ts';
import { secondsText } from '../ui/time-text.ts';
import { useWords } from '../words/language.ts';

/**
 * The place of a lock: its source and database, the server if Sentinel or Cluster reports it, and in a cluster the
 * slot. Also since when its source is not watched, or since when its state is only assumed.
 */
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
      <Unwatched lock={lock} />
      {lock.assumedSince !== undefined && lock.unwatchedSince === undefined && (
        <span className="member-unseen">
          {(lock.holders.length > 0 ? words.assumedSince : words.asBefore)(secondsText(lock.assumedSince))}
        </span>
      )}
    </>
  );
}

/** A short form for table rows. A cluster has only database 0, so the slot is shown instead. */
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
      {hasManySources && <Unwatched lock={lock} />}
    </span>
  );
}

/** A mark for a lock whose source is not watched at the shown instant, so that the shown state is older. */
function Unwatched({ lock }: { lock: Lock }) {
  const words = useWords().lock;
  const isStale = useIsStale(lock);
  if (!isStale) return null;
  const { unwatchedSince: since } = lock;
  return (
    <span className="member-unseen">
      {since === undefined ? words.notWatched : words.notWatchedSince(secondsText(since))}
    </span>
  );
}

/** True if the source of a lock was not watched at the shown instant, so that the shown state is older. */
function useIsStale({ source, unwatchedSince }: Lock): boolean {
  const isPast = useContext(ShownInstant) !== null;
  const isBlind = useLive((state) => isBlindNow(state, source));
  return isPast ? unwatchedSince !== undefined : isBlind;
}

/** True while this page is disconnected, or the source is not watched. */
export function isBlindNow(state: Pick<LiveState, 'link' | 'sources'>, id: string): boolean {
  const source = state.sources.find((each) => each.id === id);
  return isCutOff(state) || (source !== undefined && !isWatched(source));
}

function useSource(id: string): Source | undefined {
  return useLive((state) => state.sources.find((source) => source.id === id));
}

/** Past states have no slot. The slot of a lock never changes, so it is computed from the name. */
function slotOf(lock: Lock, source: Source | undefined): number | null {
  if (lock.slot !== undefined) return lock.slot;
  return source?.topology === 'cluster' ? keySlot(lock.name) : null;
}
