import type { LockKey } from '../../../shared/events/mirror/lock-key.ts';
import type { LockKeys } from '../../../shared/events/mirror/lock-keys.ts';
import { soon } from '../../redis/connection/surroundings.ts';

/** A lock within its source. */
export type EvictedLock = { readonly db: number; readonly lock: string };

/**
 * Reports locks whose mirror was evicted while they were held, and evicted semaphores and latches. A key event of an
 * unknown key does not show that its lock was released, so these locks must not be shown as held. Locks evicted in one
 * read are reported together, after its events. A lock that is known again by then is left out.
 */
export function reportEvicted(keys: LockKeys, report: (locks: EvictedLock[]) => void): void {
  let evicted: LockKey[] = [];
  keys.onEvicted = (key) => {
    if (evicted.push(key) > 1) return;
    soon(() => {
      const gone = evicted.filter(({ db, name }) => keys.find(db, name) === undefined);
      evicted = [];
      if (gone.length > 0) report(gone.map(({ db, name }) => ({ db, lock: name })));
    });
  };
}
