import { type RedisTime, redisTime } from '../base/time.ts';
import type { HolderState, LockState } from './lock-state.ts';

/**
 * When a command or a read last showed that this holder has the lock.
 *
 *   acquired   renewed   blind spot          found again
 *       |─────────|──────|- - - - - - -|──────────|──
 *                 └ shown until here   assumed    └ shown from here
 */
export function shownAt({ firstAt, since, keptAt, leaseSetAt }: HolderState): RedisTime {
  return redisTime(Math.max(firstAt ?? since ?? 0, keptAt ?? 0, leaseSetAt ?? 0));
}

/**
 * A range in which a source was not watched. `to` null: the range goes on. `readAt`: when Lockscope had looked at every
 * key after the range; absent: that was not seen.
 */
export type Gap = { readonly from: RedisTime; readonly to: RedisTime | null; readonly readAt?: RedisTime };

/**
 * Since when it is only assumed that the listed holders have the lock: the beginning of the first gap that ended after
 * one of them was last shown. Undefined: all of them were shown after the gaps.
 *
 * - The holders of permits are never assumed: a permit without an id has no holder in Redis, so no read shows whose it
 *   is.
 * - A lock without holders has no key that a read could find. That the lock is free is assumed until it changes, or
 *   until every key has been looked at after the gap.
 * - If only a refused thread shows that the lock is held (`holderUnseen`), nothing is assumed.
 */
export function assumedSince(
  { holders, holderUnseen, changedAt }: LockState,
  gaps: readonly Gap[],
): RedisTime | undefined {
  if (gaps.length === 0 || holderUnseen) return undefined;
  const held = holders.flatMap((holder) => (holder.mode === 'permit' ? [] : [shownAt(holder)]));
  const isFree = holders.length === 0;
  const shown = isFree ? changedAt : Math.min(...held);
  const isHidden = ({ from, to, readAt }: Gap) =>
    (!isFree || readAt === undefined) && ((to ?? Number.POSITIVE_INFINITY) > shown || (from === to && from === shown));
  return gaps.find(isHidden)?.from;
}
