import { plusMillis, type RedisTime, redisTime } from '../../../shared/base/time.ts';
import { clientOf } from '../../../shared/events/names/names.ts';
import type { HoldMark } from './marks.ts';

/** A renewal is due after a third of the lease, and counts as missing this much later. */
const LATE_MS = 1000;

/** Since when each client (uuid) is known to have no connection left. */
export type GoneSince = ReadonlyMap<string, RedisTime>;

/**
 * From when on a hold is orphaned: the lease still blocks others, and no client renews it. Null: it is not orphaned.
 *
 *   ┃████▲████▲███┆- - - - - - - - ✕
 *             set   due              over
 *
 * If the client is known to be gone, the hold is orphaned from then on, or from when its renewal was due if that is
 * earlier. If the lease ran out, or if a renewal is overdue after earlier ones, it is orphaned from when that renewal
 * was due. An explicit lease that still runs is not orphaned, if its client is not known to be gone.
 */
export function orphanedFrom(hold: HoldMark, now: RedisTime, goneSince: GoneSince): RedisTime | null {
  if (hold.belief) return hold.from;
  const end = hold.to ?? now;
  const due = hold.leaseSetAt === null || hold.leaseMs === null ? null : plusMillis(hold.leaseSetAt, hold.leaseMs / 3);
  const gone = goneSince.get(clientOf(hold.holder)) ?? null;
  const isUnrefilled = hold.ended === 'expired' || hold.ended === 'unseen' || hold.ended === null;
  if (!isUnrefilled) return null;
  if (gone !== null && gone >= hold.from && gone <= end) return redisTime(Math.min(gone, due ?? gone));
  if (due === null || due >= end) return null;
  if (hold.ended === 'expired') return due;
  return hold.ended === null && hold.renewals > 0 && now > plusMillis(due, LATE_MS) ? due : null;
}

/** True if the dashed part is drawn because the client is gone, not only because a renewal is missing. */
export function isClientGone(hold: HoldMark, now: RedisTime, goneSince: GoneSince): boolean {
  if (hold.belief) return false;
  const gone = goneSince.get(clientOf(hold.holder));
  return gone !== undefined && gone >= hold.from && gone <= (hold.to ?? now);
}
