import { byAttention, byText, hasGoneHolder, wantedBy } from '../../../shared/insights/attention.ts';
import { nameInId } from '../../../shared/state/lock-state.ts';
import type { Lock } from '../../../shared/wire/locks/lock.ts';

/** A lock and its state, if known. Locks without a state come after locks with a state. */
type RankedLock = { readonly id: string; readonly lock: Lock | undefined };

/** Ids of locks in order of attention, as on the overview. */
export function inOrderOfAttention(locks: readonly RankedLock[]): string[] {
  return [...locks]
    .sort((a, b) => {
      if (a.lock && b.lock) return byAttention(a.lock, b.lock);
      if (a.lock || b.lock) return a.lock ? -1 : 1;
      return byText(nameInId(a.id), nameInId(b.id)) || byText(a.id, b.id);
    })
    .map(({ id }) => id);
}

/** Whether a lock has waiters, connections that listen because threads wait, or a holder that is gone. */
export function isWanted(lock: Lock | undefined): boolean {
  return lock !== undefined && (wantedBy(lock) > 0 || hasGoneHolder(lock));
}

/**
 * The order with new locks added. Wanted locks (see `isWanted`) go after the last wanted one, all others to the end.
 * The order of the existing locks does not change.
 */
export function withNewLocks(
  order: readonly string[],
  wanted: ReadonlySet<string>,
  fresh: readonly RankedLock[],
): readonly string[] {
  const ids = inOrderOfAttention(fresh);
  const byId = new Map(fresh.map(({ id, lock }) => [id, lock]));
  const first = order.findLastIndex((id) => wanted.has(id)) + 1;
  const urgent = ids.filter((id) => isWanted(byId.get(id)));
  const others = ids.filter((id) => !isWanted(byId.get(id)));
  return [...order.slice(0, first), ...urgent, ...order.slice(first), ...others];
}

/** The holders of a lock, then its waiters: those in the queue by place, then the others, the longest wait first. */
export function peopleInOrder(lock: Lock | undefined): string[] {
  if (!lock) return [];
  const place = ({ position }: Lock['waiters'][number]) => position ?? Number.MAX_SAFE_INTEGER;
  const waiters = [...lock.waiters].sort((a, b) => place(a) - place(b) || a.since - b.since);
  const holders = lock.holders.map(({ id, client, mode }) => (mode === 'permit' && client !== '' ? client : id));
  return [...new Set([...holders, ...waiters.map(({ id }) => id)])];
}
