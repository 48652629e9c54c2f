import { plusMillis, type RedisTime, redisTime } from '../../../shared/base/time.ts';
import { clientOf } from '../../../shared/events/names/names.ts';
import type { HoldMark } from './marks.ts';

/** Renewals come every third of the lease; this much later one is missing. */
const LATE_MS = 1000;

/** Since when each client (uuid) is known to have no connection left. */
export type GoneSince = ReadonlyMap<string, RedisTime>;

/**
 * From when on a hold only blocks, with nobody left to refill its lease; null while somebody is there.
 *
 *   ┃████▲████▲███┆- - - - - - - - ✕
 *             set   due              over
 *
 * Its client is known to be gone: from then. The lease ran out, or the watchdog that was there is overdue: from the
 * moment the refill was due. An explicit lease that still runs is no orphan.
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

/** True when the dashed part is there because the client is gone, not only because no refill came. */
export function isClientGone(hold: HoldMark, now: RedisTime, goneSince: GoneSince): boolean {
  if (hold.belief) return false;
  const gone = goneSince.get(clientOf(hold.holder));
  return gone !== undefined && gone >= hold.from && gone <= (hold.to ?? now);
}
