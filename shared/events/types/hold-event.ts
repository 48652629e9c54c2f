import type { Millis, RedisTime } from '../../base/time.ts';

/** How a lock is held: exclusively, as one of many readers, as the writer, or as a permit of a semaphore. */
export const HOLD_MODES = ['exclusive', 'read', 'write', 'permit'] as const;
export type HoldMode = (typeof HOLD_MODES)[number];

/** What a waiter waits for: a hold, or the opening of a latch. */
export const WAIT_MODES = [...HOLD_MODES, 'latch'] as const;

/**
 * Why an unlock or a renewal was refused. `error`: an error must have cut off the script. This is always inferred, in
 * two cases:
 * - The caller holds the lock, as far as is known. Redis may be out of memory, a read-only replica, or have a disk
 *   error. The key is read at once.
 * - The key has a value of another type than its lock.
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
 * When each timeout key of a reader expires, in the order of the reader's hold counts. Null: not known. Empty: no
 * timeout key of the reader is known, for example after its last release. A reader whose timeout keys have expired is
 * still in the lock's hash, until another thread's release removes it.
 */
export type ReadTimeouts = readonly { readonly holder: string; readonly ends: readonly (RedisTime | null)[] }[];

/** The readers whose timeout keys a script set, changed or deleted, with the result. */
type ReadTimeoutsSet = { readonly readTimeouts?: ReadTimeouts };

/**
 * The lease as one command set it, or as a read found it: then `leaseMs` is what was left of it. `expiresAt` null: it
 * never expires; absent: not known.
 */
type LeaseSet = { readonly leaseMs?: Millis; readonly expiresAt?: RedisTime | null };

/** What happens to holds and their leases: attempts, unlocks, renewals and losses. */
export type HoldDetail =
  | ({
      readonly type: 'lock.acquired' | 'lock.reentered';
      readonly holder: string;
      readonly mode: HoldMode;
      /** Absent: not known, for example because the previous count was never seen. */
      readonly holdCount?: number;
      /** What ended the sleep before this attempt; absent: no such sleep is known. */
      readonly wokenBy?: 'message' | 'own-timer';
      /** The attempt was late: it came this long after its cause (a message, its timer, a SUBSCRIBE). */
      readonly lateMs?: Millis;
      /**
       * Milliseconds since the first refusal of this wait that was seen. If attempts were not seen for a while: since
       * the first refusal after that.
       */
      readonly waitedMs?: Millis;
      /** The wait began, or may have begun, before the first refusal that was seen: it took at least `waitedMs`. */
      readonly waitedAtLeast?: true;
      /**
       * The fencing token of this hold, counted up from the last read value of the counter, or from 0 after its
       * deletion.
       */
      readonly fencingToken?: string;
      /** Fair lock: by how much the deadlines of all remaining waiters moved. */
      readonly shiftMs?: Millis;
      /**
       * Fair lock: how far the client's clock is ahead of Redis's (negative: behind), if they differ by 1 s or more.
       */
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
      /**
       * The TTL in the reply, computed from the last lease seen; for some refusals by a fair lock, the time to wait
       * instead. -1: the lease has no end. Null: not known, or the reply had no TTL.
       */
      readonly ttlMs: Millis | null;
      /** Attempts of this wait that were seen so far, this one included. */
      readonly attempt: number;
      /** The thread now sleeps until a message or its own timer. */
      readonly asleep: boolean;
      readonly wokenBy?: 'message' | 'own-timer';
      /** The attempt was late: it came this long after its cause (a message, its timer, a SUBSCRIBE). */
      readonly lateMs?: Millis;
      /**
       * Earlier attempts of this wait may be unseen: it began, or may have begun, before the first one that was seen.
       */
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
      /**
       * Fair lock: how far the client's clock is ahead of Redis's (negative: behind), if they differ by 1 s or more.
       */
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
      /** The lock's key still exists until this time, usually because other threads hold the lock. */
      readonly expiresAt?: RedisTime;
      /**
       * Only the end of the hold was seen. It was released, force-released or deleted; for a group lock, or after a
       * blind spot, it may have expired instead.
       */
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
      /**
       * The caller's unlock was reported to it as a success. Old versions of Redisson do so if the lock is missing, and
       * some other libraries always do.
       */
      readonly callerSawSuccess?: true;
      /** Another thread that holds the lock; absent: no such holder is known. */
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
      /**
       * The first of `holders`. Both are absent if no holder was known, or if the hold continues because a rename of
       * the key was undone.
       */
      readonly holder?: string;
      /** All holders that lost their holds. */
      readonly holders?: readonly string[];
      /** For `lock.deleted` and `db.flushed`: the command; absent: not known. */
      readonly command?: string;
      /** The former holder whose command ended the hold without checking which client has the lock. */
      readonly late?: string;
    } & ValuesHeld)
  | ({
      readonly type: 'lease.renewed';
      /**
       * The holder that renewed the lease; absent: not known, for example because any client may send a plain command.
       */
      readonly holder?: string;
      /** Absent: exclusive. */
      readonly mode?: HoldMode;
      /**
       * `watchdog`: a renewal as the holder's library does it, in a script or by SET with XX or IFEQ. `command`:
       * another plain command, such as PEXPIRE, EXPIRE or PERSIST. Absent: not known.
       */
      readonly cause?: 'watchdog' | 'command';
      /** How many locks this run of the script was to renew; absent: one. */
      readonly batch?: number;
      readonly clientVersion?: string;
    } & LeaseSet &
      ReadTimeoutsSet &
      ValuesHeld)
  | ({
      /** The lease was set to end earlier than before. */
      readonly type: 'lease.shortened';
      /** The holder, if its script set the lease; absent: a plain command set it, or the cause is not known. */
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
      /** The uuid of the client whose connection sent the plain command, if that connection has sent a lock script. */
      readonly client?: string;
      /** How many locks this run of the script was to renew; absent: one. */
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
