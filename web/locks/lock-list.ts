import { wantedBy } from '../../shared/insights/attention.ts';
import type { Lock } from '../../shared/wire/locks/lock.ts';
import { type Beginning, oldestWait, waiterCount } from '../../shared/wire/locks/lock-facts.ts';
import { personText } from '../../shared/wire/person-text.ts';
import type { LockFilter } from '../url/route.ts';

export type LockCounts = {
  readonly locks: number;
  readonly held: number;
  readonly waiters: number;
  /**
   * Number of clients that listen for the release of locks without known waiters, as `wantedBy` counts them. All
   * databases of a source share a channel, so locks of one name count its listeners once.
   */
  readonly listeners: number;
  readonly oldestWait: OldestWait | null;
};

/** The oldest wait of all locks: its source, and when it began. */
export type OldestWait = Beginning & { readonly source: string };

/** Returns the counts in the heading of the overview. */
export function countLocks(locks: Iterable<Lock>): LockCounts {
  const counts = { locks: 0, held: 0, waiters: 0 };
  const listeners = new Map<string, number>();
  let first: OldestWait | null = null;
  for (const lock of locks) {
    const wait = oldestWait(lock);
    if (wait !== null) first = olderOf(first, { source: lock.source, ...wait });
    counts.locks++;
    if (lock.held) counts.held++;
    counts.waiters += waiterCount(lock);
    const wanted = waiterCount(lock) === 0 ? wantedBy(lock) : 0;
    if (wanted === 0) continue;
    const channel = `${lock.source} ${lock.name}`;
    listeners.set(channel, Math.max(wanted, listeners.get(channel) ?? 0));
  }
  return { ...counts, listeners: [...listeners.values()].reduce((sum, count) => sum + count, 0), oldestWait: first };
}

/** The older of two waits, marked `isAtLeast` if either wait is: a wait marked so may have begun earlier than known. */
function olderOf(known: OldestWait | null, wait: OldestWait): OldestWait {
  if (known === null) return wait;
  return { ...(wait.at < known.at ? wait : known), isAtLeast: known.isAtLeast || wait.isAtLeast };
}

/** True if the lock matches the filter, and its name, a holder or a waiter contains the text of the find box. */
export function isLockShown(lock: Lock, show: LockFilter, q: string): boolean {
  if (show === 'held' && !lock.held) return false;
  if (show === 'waited' && wantedBy(lock) === 0) return false;
  const wanted = q.trim().toLowerCase();
  if (wanted === '' || lock.name.toLowerCase().includes(wanted)) return true;
  return [...lock.holders, ...lock.waiters].some(
    (person) =>
      person.id.toLowerCase().includes(wanted) ||
      personText(person.client, person.thread, person.name).toLowerCase().includes(wanted),
  );
}
