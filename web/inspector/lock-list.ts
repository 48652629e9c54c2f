import { redisTime } from '../../shared/base/time.ts';
import { byAttention, byText, wantedBy } from '../../shared/insights/attention.ts';
import { compareHandovers } from '../../shared/state/handovers.ts';
import type { Lock } from '../../shared/wire/lock.ts';
import { type Beginning, oldestHold, oldestWait, waiterCount } from '../../shared/wire/lock-facts.ts';
import { personText } from '../../shared/wire/person-text.ts';
import type { LockFilter, LockSort } from '../url/route.ts';

export type LockCounts = {
  readonly locks: number;
  readonly held: number;
  readonly waiters: number;
  /** Number of clients subscribed to the release of held locks without known waiters. */
  readonly listeners: number;
  readonly oldestWait: OldestWait | null;
};

/** The oldest wait of all locks: its source, and when it began. */
export type OldestWait = Beginning & { readonly source: string };

/** Returns the counts in the heading of the overview. */
export function countLocks(locks: Iterable<Lock>): LockCounts {
  const counts = { locks: 0, held: 0, waiters: 0, listeners: 0 };
  let first: OldestWait | null = null;
  for (const lock of locks) {
    const wait = oldestWait(lock);
    if (wait !== null) first = olderOf(first, { source: lock.source, ...wait });
    counts.locks++;
    if (lock.held) counts.held++;
    counts.waiters += waiterCount(lock);
    if (waiterCount(lock) === 0) counts.listeners += wantedBy(lock);
  }
  return { ...counts, oldestWait: first };
}

/** The older wait. One that is only known to be older than its instant may be older than the other. */
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

/** Compares two locks by a column, then by name and id, so that the order is stable. */
export function compareLocks(a: Lock, b: Lock, sort: LockSort, isReversed: boolean): number {
  const order = byColumn(a, b, sort) * (isReversed ? -1 : 1);
  return order !== 0 ? order : byText(a.name, b.name) || byText(a.id, b.id);
}

function byColumn(a: Lock, b: Lock, sort: LockSort): number {
  switch (sort) {
    case 'attention':
      return byAttention(a, b);
    case 'name':
      return byText(a.name, b.name);
    case 'kind':
      return byText(a.kind, b.kind);
    case 'holder':
      return byText(firstHolder(a), firstHolder(b));
    case 'count':
      return deepest(b) - deepest(a);
    case 'lease':
      return leaseEnd(a) - leaseEnd(b);
    case 'held':
      return beginningOf(oldestHold(a)) - beginningOf(oldestHold(b));
    case 'waiters':
      return wantedBy(b) - wantedBy(a);
    case 'wait':
      return beginningOf(oldestWait(a)) - beginningOf(oldestWait(b));
    case 'rate':
      return compareHandovers(handoversOf(b), handoversOf(a));
  }
}

function beginningOf(beginning: Beginning | null): number {
  return beginning?.at ?? Number.MAX_SAFE_INTEGER;
}

/** The hand-overs of a lock with their instant as Redis time. */
export function handoversOf({ handovers }: Lock) {
  return handovers && { ...handovers, since: redisTime(handovers.since), at: redisTime(handovers.at) };
}

function firstHolder(lock: Lock): string {
  const holder = lock.holders[0];
  return holder ? personText(holder.client, holder.thread, holder.name) : '\uffff';
}

function deepest(lock: Lock): number {
  return Math.max(0, ...lock.holders.map((holder) => holder.holdCount));
}

function leaseEnd(lock: Lock): number {
  if (!lock.held) return Number.MAX_VALUE;
  return lock.lease.expiresAt ?? Number.MAX_SAFE_INTEGER;
}
