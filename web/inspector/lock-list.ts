import type { Lock } from '../../shared/wire/lock.ts';
import type { LockFilter, LockSort } from '../url/route.ts';
import { personText, waiterCount } from './lock-words.ts';

export type LockCounts = {
  readonly locks: number;
  readonly held: number;
  readonly waiters: number;
};

/** What the heading of the overview counts. */
export function countLocks(locks: Iterable<Lock>): LockCounts {
  const counts = { locks: 0, held: 0, waiters: 0 };
  for (const lock of locks) {
    counts.locks++;
    if (lock.held) counts.held++;
    counts.waiters += waiterCount(lock);
  }
  return counts;
}

/** True when the lock belongs to the filter and the find box names it, its holder or a waiter. */
export function isLockShown(lock: Lock, show: LockFilter, q: string): boolean {
  if (show === 'held' && !lock.held) return false;
  if (show === 'waited' && lock.waiters.length === 0) return false;
  const wanted = q.trim().toLowerCase();
  if (wanted === '' || lock.name.toLowerCase().includes(wanted)) return true;
  return [...lock.holders, ...lock.waiters].some(
    (person) =>
      person.id.toLowerCase().includes(wanted) ||
      personText(person.client, person.thread, person.name).toLowerCase().includes(wanted),
  );
}

/** Compares two locks by a column; equal ones by name, so that the order is always the same. */
export function compareLocks(a: Lock, b: Lock, sort: LockSort, isReversed: boolean): number {
  const order = byColumn(a, b, sort) * (isReversed ? -1 : 1);
  return order !== 0 ? order : byText(a.name, b.name) || byText(a.id, b.id);
}

function byColumn(a: Lock, b: Lock, sort: LockSort): number {
  switch (sort) {
    case 'attention':
      return attention(b) - attention(a);
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
    case 'waiters':
      return waiterCount(b) - waiterCount(a);
  }
}

/** Waited for before held before free; a holder that is gone before all of them. */
function attention(lock: Lock): number {
  const isOrphaned = lock.held && lock.holders.some((holder) => holder.presence === 'gone');
  return (isOrphaned ? 4 : 0) + (lock.waiters.length > 0 ? 2 : 0) + (lock.held ? 1 : 0);
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

function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
