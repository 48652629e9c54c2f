import type { Millis, RedisTime } from '../../base/time.ts';

/** What of a lock somebody has: all of it, a share for reading, or a permit of a semaphore. */
export type HoldMode = 'exclusive' | 'read' | 'write' | 'permit';

/**
 * Why an unlock or a renewal was refused. `error`: the caller does hold the lock as far as we know, so its script
 * must have been cut off (no memory, read-only replica, disk error); inferred, and the key is read at once.
 */
export type RefusalReason = 'not-owner' | 'expired' | 'no-lock' | 'error';

/** One value of a group lock, hashed as Redisson does, with its own count and end; null: not known. */
export type HeldValue = {
  readonly value: string;
  readonly holdCount: number | null;
  readonly expiresAt: RedisTime | null;
};

/** Group lock: all that the holder has of it after this. */
type ValuesHeld = { readonly values?: readonly HeldValue[] };

/**
 * When each timeout key of a reader ends, the one for its first count first. A reader whose keys are gone stands in the
 * lock's hash all the same, but nothing keeps it there. Null: not known.
 */
export type ReadTimeouts = readonly { readonly holder: string; readonly ends: readonly (RedisTime | null)[] }[];

/** The readers whose timeout keys a script set, moved or deleted, as they are afterwards. */
type ReadTimeoutsSet = { readonly readTimeouts?: ReadTimeouts };

/** The lease as one command set it, or as a read found it. `expiresAt` null: it has no end; absent: it is not known. */
type LeaseSet = { readonly leaseMs?: Millis; readonly expiresAt?: RedisTime | null };

/** What happens to holds and their leases: attempts, unlocks, renewals, and whoever lost one. */
export type HoldDetail =
  | ({
      readonly type: 'lock.acquired' | 'lock.reentered';
      readonly holder: string;
      readonly mode: HoldMode;
      /** Absent when the count before was never seen. */
      readonly holdCount?: number;
      /** What ended the sleep before this attempt, when there was one. */
      readonly wokenBy?: 'message' | 'own-timer';
      /** Milliseconds since this holder was first refused. */
      readonly waitedMs?: Millis;
      /** The number that a fenced lock gives out with this hold, as counted since it was last read. */
      readonly fencingToken?: string;
      /** Fair lock: by how much the deadlines of all who still wait moved. */
      readonly shiftMs?: Millis;
      readonly clockAheadMs?: Millis;
      /** Releases the holder's client can be, by the scripts it sent: `3.46.0–4.7.0`. */
      readonly clientVersion?: string;
    } & LeaseSet &
      ReadTimeoutsSet &
      ValuesHeld)
  | {
      readonly type: 'lock.refused';
      readonly holder: string;
      readonly mode: HoldMode;
      /** The TTL the client was told, computed from the last lease seen. Null: not known, or an error instead. */
      readonly ttlMs: Millis | null;
      /** Attempts of this wait so far, this one included. */
      readonly attempt: number;
      /** It now sleeps until a message or its own timer. */
      readonly asleep: boolean;
      readonly wokenBy?: 'message' | 'own-timer';
      /**
       * `error`: the script was cut off, so the client was told an error instead of a TTL. `not-head`: a fair lock is free,
       * but somebody else stands first, alive or not. `own-hold`: a non-reentrant lock that the caller itself holds; it was
       * told an error.
       */
      readonly reason?: 'held' | 'error' | 'not-head' | 'own-hold';
      /** Read-write lock: what it is held for, as the script found it. */
      readonly heldFor?: 'read' | 'write';
      /** Group lock: the values it wanted, and the one that another has. */
      readonly wanted?: readonly string[];
      readonly taken?: { readonly value: string; readonly heldBy: string };
      /** Fair lock: until when the caller may stand in the queue, where it stood there before. */
      readonly deadline?: RedisTime;
      /** Fair lock: how far the client's clock is ahead of Redis's, where the two do not agree. */
      readonly clockAheadMs?: Millis;
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
      /** It goes on holding the lock for reading, and whoever else wants to read is not told that it could. */
      readonly isDowngrade?: true;
      /** Others still hold the lock, until then. */
      readonly expiresAt?: RedisTime;
      /** Only the end of the hold was seen: it may have been released, force-released or deleted; of a group lock, run out. */
      readonly how?: 'unknown';
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
    }
  | ({
      readonly type: 'lock.force-released' | 'lock.deleted' | 'lock.evicted' | 'db.flushed';
      /** Holder that lost its hold; absent when nobody was known to hold it. */
      readonly holder?: string;
      readonly holders?: readonly string[];
      /** The command that did it, for `lock.deleted` and `db.flushed`. */
      readonly command?: string;
      /** Who did it, where that is a former holder: it did not look whose lock it is now. */
      readonly late?: string;
    } & ValuesHeld)
  | ({
      readonly type: 'lease.renewed';
      /** Absent where a plain command set the lease, or it is not known what did. */
      readonly holder?: string;
      /** Absent: exclusive. */
      readonly mode?: HoldMode;
      /** `watchdog`: the holder's own script; `command`: a plain PEXPIRE, EXPIRE, PERSIST … Absent: not known. */
      readonly cause?: 'watchdog' | 'command';
      /** Locks renewed by the same script run. */
      readonly batch?: number;
      readonly clientVersion?: string;
    } & LeaseSet &
      ReadTimeoutsSet &
      ValuesHeld)
  | ({
      /** The lease was set to end earlier than before. */
      readonly type: 'lease.shortened';
      /** The holder that is known to have set it, or the only one. */
      readonly holder?: string;
      /** Absent: exclusive. */
      readonly mode?: HoldMode;
      /**
       * `holder`: a script of the holder's library, for example ShedLock's release with `lockAtLeastFor`. `command`: a plain
       * PEXPIRE, EXPIRE … Absent: not known.
       */
      readonly cause?: 'holder' | 'command';
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
  | ({
      readonly type: 'lease.expired';
      readonly holder?: string;
      readonly mode: HoldMode;
      readonly expiresAt?: RedisTime;
    } & ValuesHeld);
