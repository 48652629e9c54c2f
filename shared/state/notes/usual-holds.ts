import { type Millis, millisBetween } from '../../base/time.ts';
import type { LockEvent } from '../../events/event.ts';
import type { LockFacts } from '../lock-facts.ts';

/** How many holds are remembered: enough for a median, few enough for 20,000 locks. */
const MOST_REMEMBERED = 9;
/** With fewer holds, the usual length is not known. */
const FEWEST = 5;

/** How long the newest holds lasted that were seen from acquisition to release, the newest last. */
export type RecentHolds = readonly Millis[];

/**
 * Remembers how long a hold lasted that was seen from its acquisition to its release. A hold that expired or was lost
 * does not count.
 */
export function recentHoldsAfter(
  recent: RecentHolds | undefined,
  { holders }: LockFacts,
  event: LockEvent,
): RecentHolds | undefined {
  if (event.type !== 'lock.released') return recent;
  const { since = null } = holders.find(({ id, mode }) => id === event.holder && mode === event.mode) ?? {};
  if (since === null) return recent;
  return [...(recent ?? []).slice(1 - MOST_REMEMBERED), millisBetween(since, event.at)];
}

/** The median length of the newest holds, and the number of these holds; null: fewer than 5 were seen. */
export function usualHold({
  notes,
}: {
  readonly notes?: { readonly recentHolds: RecentHolds | undefined };
}): { ms: Millis; holds: number } | null {
  const recent = notes?.recentHolds ?? [];
  const holds = recent.length;
  const median = recent.toSorted((a, b) => a - b)[Math.floor(holds / 2)];
  return holds < FEWEST || median === undefined ? null : { ms: median, holds };
}
