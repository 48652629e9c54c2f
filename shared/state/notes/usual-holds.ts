import { type Millis, millisBetween, type RedisTime } from '../../base/time.ts';
import type { LockEvent } from '../../events/event.ts';
import { lockWith } from '../copies.ts';
import type { LockState } from '../lock-state.ts';

/** How many holds are remembered: enough for a median, few enough for 20,000 locks. */
const MOST_REMEMBERED = 9;
/** With fewer, it is not known what is usual. */
const FEWEST = 5;

/** Remembers how long a hold lasted that was seen from its acquisition to its release. A hold that was lost is not usual. */
export function withUsualHold(before: LockState, after: LockState, event: LockEvent): LockState {
  if (event.type !== 'lock.released') return after;
  const { since = null } = before.holders.find(({ id, mode }) => id === event.holder && mode === event.mode) ?? {};
  if (since === null) return after;
  const remembered = (before.recentHolds ?? []).slice(1 - MOST_REMEMBERED);
  return lockWith(after, { recentHolds: [...remembered, millisBetween(since, event.at)] });
}

/** The median length of the newest holds, and how many they are; null: too few were seen. */
export function usualHold({ recentHolds = [] }: Pick<LockState, 'recentHolds'>): { ms: Millis; holds: number } | null {
  const holds = recentHolds.length;
  const median = recentHolds.toSorted((a, b) => a - b)[Math.floor(holds / 2)];
  return holds < FEWEST || median === undefined ? null : { ms: median, holds };
}

/** Notes since when connections have listened for the release of a lock without a break. */
export function withListening(before: LockState, after: LockState, at: RedisTime): LockState {
  const isListened = (after.subscribers ?? 0) > 0;
  if (isListened === (before.listenedSince !== undefined)) return after;
  return lockWith(after, { listenedSince: isListened ? at : undefined });
}
