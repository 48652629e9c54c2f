import { dbInId, sourceInId } from '../../../shared/state/lock-state.ts';
import type { LiveState } from '../../data/live/live-state.ts';
import { useLive } from '../../data/live/use-live.ts';
import { useWords } from '../../words/language.ts';
import type { Words } from '../../words/words.ts';

/** Where a lock is, in words: empty if there is one source and the lock is in database 0. */
export function placeText(lockId: string, hasManySources: boolean, { lock }: Pick<Words, 'lock'>): string {
  const [source, db] = [sourceInId(lockId), dbInId(lockId)];
  if (hasManySources) return db === 0 ? source : lock.shortPlace(source, db);
  return db === 0 ? '' : lock.shortDb(db);
}

export function hasManySources({ sources }: Pick<LiveState, 'sources'>): boolean {
  return sources.length > 1;
}

/** Returns the function that shows where a lock of this page is. Locks with the same name have different places. */
export function usePlaceOf(): (lockId: string) => string {
  const words = useWords();
  const hasMany = useLive(hasManySources);
  return (lockId) => placeText(lockId, hasMany, words);
}
