import type { LockEvent } from '../../events/event.ts';
import { KINDS } from '../../events/kinds/kinds.ts';
import type { HeldValue } from '../../events/types/hold-event.ts';
import { holderWith, lockWith, newHolder } from '../copies.ts';
import { type HolderState, type LockState, MOST_HOLDERS } from '../lock-state.ts';

/**
 * Returns the state of a group lock after an event about one holder. Each holder has values of its own, which the
 * events of other holders do not change. `after` is the state that the rule for all locks returns.
 */
export function withValues(before: LockState, after: LockState, event: LockEvent): LockState {
  if (!KINDS[event.kind].hasValues) return after;
  const values = 'values' in event ? event.values : undefined;
  const id = 'holder' in event ? event.holder : undefined;
  if (values === undefined || id === undefined) return after;
  const others = before.holders.filter((holder) => holder.id !== id);
  if (values.length === 0 && others.length === 0) return lockWith(after, { holders: [] });
  const isLoss = event.type === 'lease.expired' || event.type === 'lock.force-released';
  const lease = isLoss || values.length === 0 ? { leaseMs: before.leaseMs, expiresAt: before.expiresAt } : undefined;
  if (values.length === 0) return lockWith(after, lease, { holders: others });
  const known = before.holders.find((holder) => holder.id === id);
  if (!known && others.length >= MOST_HOLDERS) return lockWith(after, lease, { holders: others });
  const own = holderOf(after.holders.find((holder) => holder.id === id) ?? known, id, values);
  const holders = known ? before.holders.map((holder) => (holder === known ? own : holder)) : [...others, own];
  return lockWith(after, lease, { holders });
}

function holderOf(known: HolderState | undefined, id: string, values: readonly HeldValue[]): HolderState {
  const counts = values.map(({ holdCount }) => holdCount);
  const holdCount = counts.includes(null) ? (known?.holdCount ?? null) : Math.max(...counts.map(Number));
  return holderWith(known ?? newHolder(id, 'exclusive'), { holdCount, values });
}
