import { type Millis, plusMillis, type RedisTime, redisTime } from '../base/time.ts';
import { clientOf } from '../events/names/names.ts';
import type { HolderState, LockState } from '../state/lock-state.ts';

/*
 * When a watchdog should have renewed a lease. Renewals arrive every third of the lease (`docs/protocol.md` 10):
 *
 *   set ├──────── ⅓ ────────┤ due ├ 1 s ┤ missing          ⅔ overdue            lease ends
 */

/** A renewal is missing once it is more than this late. */
const LATE_MS: Millis = 1000;
/** The head of a script is at most this much earlier than what the script did. */
const SCRIPT_MICROS = 100_000;

/** When a script of its holder set a lease, and for how long. */
type Lease = { readonly leaseSetAt: RedisTime | null; readonly leaseMs: Millis | null };

/** When the next renewal is due; null if that is not known, or if the lease has no end. */
export function renewalDueAt({ leaseSetAt, leaseMs }: Lease): RedisTime | null {
  return leaseSetAt === null || leaseMs === null ? null : plusMillis(leaseSetAt, leaseMs / 3);
}

/** Whether a renewal that was due at `dueAt` is missing: the lease looks abandoned. */
function isMissing(dueAt: RedisTime, now: RedisTime): boolean {
  return now > plusMillis(dueAt, LATE_MS);
}

/**
 * After which instant the next renewal of a lease is missing: a watchdog would have renewed it by then. Null: that is
 * not known.
 */
function missingAfter(lease: Lease): RedisTime | null {
  const dueAt = renewalDueAt(lease);
  return dueAt === null ? null : plusMillis(dueAt, LATE_MS);
}

/**
 * After which instant a renewal is so late that something is wrong: two thirds of the lease are over, and the renewal
 * is missing. One timer renews all locks of a client, so a renewal that is only a little late is normal. Null: that is
 * not known.
 */
export function overdueAfter({ leaseSetAt, leaseMs }: Lease): RedisTime | null {
  if (leaseSetAt === null || leaseMs === null) return null;
  return plusMillis(leaseSetAt, Math.max((2 * leaseMs) / 3, leaseMs / 3 + LATE_MS));
}

/**
 * Whether a watchdog keeps this hold alive, judged by its renewals:
 *
 *   on        the hold was renewed at least once, even if the renewals have stopped since
 *   off       the first renewal is missing, or the lease is over: an explicit lease, or a watchdog that died at once
 *   unknown   the first renewal is not missing yet, or it is not known when it was due
 */
export function watchdogOf(lock: LockState, holder: HolderState, now: RedisTime): 'on' | 'off' | 'unknown' {
  if (holder.renewals > 0) return 'on';
  const dueAt = renewalDueAt({ leaseSetAt: holder.leaseSetAt, leaseMs: lock.leaseMs });
  if (dueAt === null) return 'unknown';
  return isMissing(dueAt, now) || (lock.expiresAt !== null && now >= lock.expiresAt) ? 'off' : 'unknown';
}

/** After which instant the next renewal of this hold is missing, if a watchdog kept it. Null: that is not known. */
export function watchdogStoppedAfter({ leaseMs }: LockState, { leaseSetAt }: HolderState): RedisTime | null {
  return missingAfter({ leaseSetAt, leaseMs });
}

/** Since when each client (uuid) is known to have no connection left. */
export type GoneSince = ReadonlyMap<string, RedisTime>;

/** One hold as a range of time. */
export type HoldRange = Lease & {
  readonly holder: string;
  readonly from: RedisTime;
  /** When the hold ended; null: it has not. */
  readonly to: RedisTime | null;
  readonly ended: string | null;
  readonly renewals: number;
  /** Present if Redis lost this hold, but the holder still thinks it holds the lock. */
  readonly belief?: object;
};

/**
 * From when on a hold is orphaned: the lease still blocks others, and no client renews it. Null: it is not orphaned.
 *
 *   ┃████▲████▲███┆- - - - - - - - ✕
 *             set   due              over
 *
 * - A hold that was renewed is orphaned from when the first missing renewal was due, or from when its client was gone,
 *   whichever is earlier.
 * - A hold that was never renewed may have an explicit lease, which needs no renewal: it is orphaned only from when its
 *   client was gone.
 * - A hold that Redis lost is orphaned from its beginning.
 * - A hold that was released, or taken away, is not orphaned.
 */
export function orphanedFrom(hold: HoldRange, now: RedisTime, goneSince: GoneSince): RedisTime | null {
  if (hold.belief) return hold.from;
  const isUnrenewed = hold.ended === 'expired' || hold.ended === 'unseen' || hold.ended === null;
  if (!isUnrenewed) return null;
  const dueAt = hold.renewals > 0 ? renewalDueAt(hold) : null;
  const gone = goneDuring(hold, now, goneSince);
  if (gone !== null) return redisTime(Math.min(gone, dueAt ?? gone));
  if (dueAt === null || dueAt >= (hold.to ?? now)) return null;
  if (hold.ended === 'expired') return dueAt;
  return hold.ended === null && isMissing(dueAt, now) ? dueAt : null;
}

/** Whether a hold is orphaned because its client is gone, not only because a renewal is missing. */
export function isClientGone(hold: HoldRange, now: RedisTime, goneSince: GoneSince): boolean {
  return !hold.belief && goneDuring(hold, now, goneSince) !== null;
}

/**
 * When the client left during this hold; null: it did not. A client may be last seen by the head of the script that
 * acquired the lock, which is a little earlier than the hold.
 */
function goneDuring({ holder, from, to }: HoldRange, now: RedisTime, goneSince: GoneSince): RedisTime | null {
  const gone = goneSince.get(clientOf(holder));
  if (gone === undefined || gone < from - SCRIPT_MICROS || gone > (to ?? now)) return null;
  return redisTime(Math.max(gone, from));
}
