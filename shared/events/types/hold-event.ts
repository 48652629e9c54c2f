import type { Millis, RedisTime } from '../../base/time.ts';

/** How a lock is held: exclusively, as one of many readers, as the writer, or as a permit of a semaphore. */
export const HOLD_MODES = ['exclusive', 'read', 'write', 'permit'] as const;
export type HoldMode = (typeof HOLD_MODES)[number];

/** What a waiter waits for: a hold, or the opening of a latch. */
export const WAIT_MODES = [...HOLD_MODES, 'latch'] as const;

/**
 * Why an unlock or a renewal was refused. `error`: as far as we know the caller holds the lock, so an error must have
 * cut off its script (no memory, read-only replica, disk error). This is inferred, and the key is read at once.
 */
export type RefusalReason = 'not-owner' | 'expired' | 'no-lock' | 'error';

/** One value of a group lock, as Redisson hashes it, with its own hold count and expiry; null: not known. */
export type HeldValue = {
  readonly value: string;
  readonly holdCount: number | null;
  readonly expiresAt: RedisTime | null;
};

/** Group lock: all values that the holder holds after this event. */
type ValuesHeld = { readonly values?: readonly HeldValue[] };

/**
 * When each timeout key of a reader expires, in the order of the reader's hold counts. If a reader's timeout keys are
 * gone, it is still in the lock's hash, but nothing keeps it there. Null: not known.
 */
export type ReadTimeouts = readonly { readonly holder: string; readonly ends: readonly (RedisTime | null)[] }[];

/** The readers whose timeout keys a script set, changed or deleted, with the result. */
type ReadTimeoutsSet = { readonly readTimeouts?: ReadTimeouts };

/** The lease as one command set it, or as a read found it. `expiresAt` null: it never expires; absent: not known. */
type LeaseSet = { readonly leaseMs?: Millis; readonly expiresAt?: RedisTime | null };

/** What happens to holds and their leases: attempts, unlocks, renewals and losses. */
export type HoldDetail =
  | ({
      readonly type: 'lock.acquired' | 'lock.reentered';
      readonly holder: string;
      readonly mode: HoldMode;
      /** Absent if the previous count was never seen. */
      readonly holdCount?: number;
      /** What ended the sleep before this attempt; absent if the thread did not sleep. */
      readonly wokenBy?: 'message' | 'own-timer';
      /** The attempt was late: it came this long after its cause (a message, its timer, a SUBSCRIBE). */
      readonly lateMs?: Millis;
      /** Milliseconds since this holder was first refused. */
      readonly waitedMs?: Millis;
      /** The wait began, or may have begun, before the first refusal that was seen: it took at least `waitedMs`. */
      readonly waitedAtLeast?: true;
      /** The fencing token of this hold, counted up from the counter's last read value. */
      readonly fencingToken?: string;
      /** Fair lock: by how much the deadlines of all remaining waiters moved. */
      readonly shiftMs?: Millis;
      readonly clockAheadMs?: Millis;
      /** Fair lock: the script did not carry the client's time. */
      readonly clockUnseen?: true;
      /** Redisson versions that the holder's client may have, by the scripts it sent: `3.46.0–4.7.0`. */
      readonly clientVersion?: string;
      /** The same script also renews, so the holder may have held the lock before this. */
      readonly isOlder?: true;
    } & LeaseSet &
      ReadTimeoutsSet &
      ValuesHeld)
  | {
      readonly type: 'lock.refused';
      readonly holder: string;
      readonly mode: HoldMode;
      /** The TTL in the reply, computed from the last lease seen. Null: not known, or the reply was an error. */
      readonly ttlMs: Millis | null;
      /** Attempts of this wait so far, this one included. */
      readonly attempt: number;
      /** The thread now sleeps until a message or its own timer. */
      readonly asleep: boolean;
      readonly wokenBy?: 'message' | 'own-timer';
      /** The attempt was late: it came this long after its cause (a message, its timer, a SUBSCRIBE). */
      readonly lateMs?: Millis;
      /** The wait began, or may have begun, before the first attempt that was seen: earlier attempts may be unseen. */
      readonly isOlder?: true;
      /**
       * `error`: the script was cut off, so the client got an error instead of a TTL. `not-head`: a fair lock is free,
       * but another waiter is first in the queue, alive or not. `own-hold`: the caller itself holds this non-reentrant
       * lock, and got an error.
       */
      readonly reason?: 'held' | 'error' | 'not-head' | 'own-hold';
      /** Read-write lock: the mode in which it is held, as the script found it. */
      readonly heldFor?: 'read' | 'write';
      /** Group lock: the values that the thread asked for, and the one that another thread holds. */
      readonly wanted?: readonly string[];
      readonly taken?: { readonly value: string; readonly heldBy: string };
      /** Fair lock: until when the caller may be in the queue; only if it was in the queue before. */
      readonly deadline?: RedisTime;
      /** Fair lock: how far the client's clock is ahead of Redis's, if the two differ. */
      readonly clockAheadMs?: Millis;
      /** Fair lock: the script did not carry the client's time. */
      readonly clockUnseen?: true;
    }
  | ({
      readonly type: 'lock.partially-released';
      readonly holder: string;
      readonly mode: HoldMode;
      readonly holdCount?: number;
    } & LeaseSet &
      ReadTimeoutsSet &
      ValuesHeld)
  | ({
      readonly type: 'lock.released';
      readonly holder: string;
      readonly mode: HoldMode;
      readonly holdCount: 0;
      /**
       * The thread still holds the lock for reading. Other waiting readers get no message, although they could read
       * now.
       */
      readonly isDowngrade?: true;
      /** Other threads still hold the lock, until this time. */
      readonly expiresAt?: RedisTime;
      /** Only the end of the hold was seen: released, force-released or deleted; for a group lock, maybe expired. */
      readonly how?: 'unknown';
      /**
       * The command that was seen to delete the lock's key: the holder's release on another connection, or a deletion.
       */
      readonly command?: string;
    } & ReadTimeoutsSet &
      ValuesHeld)
  | {
      readonly type: 'unlock.refused';
      readonly holder: string;
      /** Absent: exclusive. */
      readonly mode?: HoldMode;
      readonly reason: RefusalReason;
      /** Old versions report an unlock of a missing lock as success. */
      readonly callerSawSuccess?: true;
      /** Another holder, if another thread holds the lock. */
      readonly heldBy?: string;
      /** When this thread was last refused the lock, if it has not acquired the lock since. */
      readonly triedAt?: RedisTime;
      /**
       * When this thread was first refused the lock after losing it. This unlock may belong to that attempt, so it does
       * not show that the thread worked on without the lock until now.
       */
      readonly backAt?: RedisTime;
      /** If the script has an unlock latch and its client got no answer, `unlock.unanswered` comes after this time. */
      readonly answerMs?: Millis;
    }
  | ({
      readonly type: 'lock.force-released' | 'lock.deleted' | 'lock.evicted' | 'db.flushed';
      /** The holder that lost its hold; absent if no holder was known. */
      readonly holder?: string;
      readonly holders?: readonly string[];
      /** For `lock.deleted` and `db.flushed`: the command. */
      readonly command?: string;
      /** The former holder whose command did this without checking which client holds the lock now. */
      readonly late?: string;
    } & ValuesHeld)
  | ({
      readonly type: 'lease.renewed';
      /**
       * Absent if the cause is not known. If a plain command set the lease, the holder is named only if it is known to
       * have sent the command.
       */
      readonly holder?: string;
      /** Absent: exclusive. */
      readonly mode?: HoldMode;
      /** `watchdog`: the holder's own script; `command`: a plain PEXPIRE, EXPIRE, PERSIST … Absent: not known. */
      readonly cause?: 'watchdog' | 'command';
      /** How many locks this run of the script renewed. */
      readonly batch?: number;
      readonly clientVersion?: string;
    } & LeaseSet &
      ReadTimeoutsSet &
      ValuesHeld)
  | ({
      /** The lease was set to end earlier than before. */
      readonly type: 'lease.shortened';
      /** The holder that set the lease, if known, or the only holder. */
      readonly holder?: string;
      /** Absent: exclusive. */
      readonly mode?: HoldMode;
      /**
       * `holder`: a script of the holder's library, for example ShedLock's release with `lockAtLeastFor`. `command`: a
       * plain PEXPIRE, EXPIRE … Absent: not known.
       */
      readonly cause?: 'holder' | 'command';
      /** The lease had no end before: applications that lock by SETNX and EXPIRE set it in a second command. */
      readonly hadNoEnd?: true;
      readonly batch?: number;
    } & LeaseSet &
      ReadTimeoutsSet &
      ValuesHeld)
  | {
      readonly type: 'renewal.refused';
      readonly holder: string;
      /** Absent: exclusive. */
      readonly mode?: HoldMode;
      readonly reason: RefusalReason;
    }
  | {
      /** A renewal that names no holder: it renews nothing, even if a thread of its client holds the lock. */
      readonly type: 'renewal.without-holder';
      /** The uuid of the client that sent the renewal. */
      readonly client: string;
      /** The lease that the renewal would have set. */
      readonly leaseMs: Millis;
    }
  | {
      /** A renewal that Redis received twice within 50 ms and did not run, because it does not have the script. */
      readonly type: 'renewal.not-run';
      readonly holder: string;
      /** Absent: exclusive. */
      readonly mode?: HoldMode;
    }
  | ({
      readonly type: 'lease.expired';
      readonly holder?: string;
      readonly mode: HoldMode;
      readonly expiresAt?: RedisTime;
    } & ValuesHeld);
