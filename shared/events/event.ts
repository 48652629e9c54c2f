import type { Millis, RedisTime } from '../base/time.ts';
import type { CounterDetail } from './counter-event.ts';

/**
 * What signals mean: one thing that happened to one lock, in the past tense.
 *
 * Every event says how it is known: `observed` (Redis said so) or `inferred` (we concluded it).
 * Times are Redis server time in microseconds, durations milliseconds. The list of types and the rules
 * of the stream are a promise to users' scripts: a new type may be added, none renamed.
 */
export type LockEvent = {
  /** Order of truth: rises by one over all sources of the process. */
  readonly seq: number;
  readonly at: RedisTime;
  readonly source: string;
  readonly db: number;
  /** The lock's name; empty for events of a whole source (`blind-spot.*`, `failover`). */
  readonly lock: string;
  readonly kind: LockKind;
  readonly certainty: Certainty;
  /** Address of the client whose command this was. */
  readonly by?: string;
  /** `seq`s of the events that caused this one. */
  readonly because?: readonly number[];
  /** The library whose way of locking it is; absent: Redisson, or for a `token-lock` not known. */
  readonly library?: string;
  /** It only looks like a lock so far. */
  readonly kindKnown?: false;
  /** What was done to several locks as one, a multi lock or RedLock: the same on all of its events. Always inferred. */
  readonly group?: string;
  /**
   * Events told before that belong to this group as well: they carry `group` from now on. Without a `group` of its own:
   * those events belong to none after all.
   */
  readonly groupSeqs?: readonly number[];
  /**
   * What this is to the group. `fix-up`: the lease is set to what was asked for, now that all members are had. `roll-back`:
   * let go, since another member was not to be had. `never-held`: a RedLock unlocks all members, those it never had too.
   */
  readonly groupStep?: 'fix-up' | 'roll-back' | 'never-held';
  /** The last event of the group says how it ended. */
  readonly groupEnd?: 'released' | 'rolled-back' | 'lost';
  /** How often it began anew after it had to give back what it had; absent: the first time. */
  readonly groupRound?: number;
} & EventDetail;

export type LockKind =
  | 'lock'
  | 'fair-lock'
  | 'read-write-lock'
  | 'fenced-lock'
  | 'spin-lock'
  | 'group-lock'
  | 'semaphore'
  | 'expirable-semaphore'
  | 'latch'
  | 'token-lock';

export type Certainty = 'observed' | 'inferred';
export type HoldMode = 'exclusive' | 'read' | 'write' | 'permit';

/**
 * Why an unlock or a renewal was refused. `error`: the caller does hold the lock as far as we know, so its script
 * must have been cut off (no memory, read-only replica, disk error); inferred, and the key is read at once.
 */
export type RefusalReason = 'not-owner' | 'expired' | 'no-lock' | 'error';

/** A holder and its hold count, as a snapshot found them in Redis. */
export type FoundHolder = {
  readonly holder: string;
  readonly holdCount: number;
  readonly mode: HoldMode;
  /** It was seen to begin at the shard that its lock came from. */
  readonly since?: RedisTime;
  /** Group lock: what of it it has. */
  readonly values?: readonly HeldValue[];
};

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

/** The lease as one command set it. `leaseMs` null: no TTL. Absent: not known. */
type LeaseSet = { readonly leaseMs?: Millis; readonly expiresAt?: RedisTime };

/**
 * How another server came to answer for a source. `promoted`: a replica took over from its master. `restarted`: at the same
 * address, but nothing tells that it has the data of the one before.
 */
export type FailoverHow = 'promoted' | 'restarted';

export type EventDetail =
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
      /** Absent when a plain command, not a watchdog, set the lease. */
      readonly holder?: string;
      /** Absent: exclusive. */
      readonly mode?: HoldMode;
      /** `watchdog`: the holder's own script; `command`: a plain PEXPIRE, EXPIRE, PERSIST … */
      readonly cause: 'watchdog' | 'command';
      /** Locks renewed by the same script run. */
      readonly batch?: number;
      readonly clientVersion?: string;
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
    } & ValuesHeld)
  | {
      readonly type: 'waiter.subscribed' | 'waiter.unsubscribed';
      readonly channel: string;
      /** `uuid:thread` when it is known whose wait caused it. */
      readonly holder?: string;
      /** The client's uuid when it is known. */
      readonly client?: string;
      /** Connections that listen on the channel after this. */
      readonly subscribers: number;
    }
  | {
      readonly type: 'waiter.queued';
      readonly holder: string;
      /** 1 for the head. */
      readonly position: number;
      /** Until when it may stand in the queue, by the clocks of the clients; null: it stands there without one. */
      readonly deadline: RedisTime | null;
    }
  | {
      readonly type: 'waiter.dequeued';
      readonly holder: string;
      /**
       * `evicted`: struck from a fair lock's queue as too old, alive or not. `deleted`: the queue itself went.
       * `left`: it is in the queue no more, and nobody saw why.
       */
      readonly reason: 'gave-up' | 'presumed-gone' | 'evicted' | 'deleted' | 'left';
      /** Until when it might have stood there, for `evicted`. */
      readonly deadline?: RedisTime;
      /** By how much the deadlines of those behind it moved. */
      readonly shiftMs?: Millis;
      /** How far the clock of the client that struck it out is ahead of Redis's, where the two do not agree. */
      readonly clockAheadMs?: Millis;
      /** The command that did it, for `deleted`. */
      readonly command?: string;
    }
  | { readonly type: 'wakeup.published'; readonly channel: string; readonly message: string; readonly holder?: string }
  | CounterDetail
  | {
      /** Another server answers for this source from here on: it may know less than the one before was told. */
      readonly type: 'failover';
      readonly how: FailoverHow;
      /** `host:port` of the server before and of the one now; the same after a restart. */
      readonly from: string;
      readonly to: string;
      /** Whatever was written until then is known to have reached the new master. Absent: nobody knows. */
      readonly replicatedUntil?: RedisTime;
    }
  | {
      /** The server that answers now does not know this hold, and nobody was seen to end it: its holder still believes in it. */
      readonly type: 'lock.lost';
      readonly holder: string;
      readonly mode: HoldMode;
      readonly reason: 'failover' | 'restart';
      /** When the lease would have run out, as far as it was known. */
      readonly expiresAt?: RedisTime;
    }
  | {
      /** The key went to another server of its cluster, holders and all: nobody lost anything. */
      readonly type: 'lock.moved';
      /** `host:port`; absent where only the key's absence was seen. */
      readonly to?: string;
      readonly holder?: string;
      readonly holders?: readonly string[];
    }
  | { readonly type: 'blind-spot.began'; readonly reason: string }
  | { readonly type: 'blind-spot.ended'; readonly reason: string; readonly from: RedisTime }
  | {
      /** A snapshot met this lock for the first time: held before anybody watched, or since. */
      readonly type: 'lock.found';
      readonly holders: readonly FoundHolder[];
      readonly expiresAt?: RedisTime;
      /** It was known before a failover, and the server that answers now knows it too. */
      readonly isKept?: true;
    }
  | {
      /** Something about a lock came to be known later than it was so: what was told before is corrected by this. */
      readonly type: 'lock.learned';
      /** The kind it was told as; it is of the event's own kind. */
      readonly kindBefore?: LockKind;
      /** The number the present hold was given. */
      readonly fencingToken?: string;
      readonly holder?: string;
    }
  | {
      readonly type: 'drift.healed';
      /** What we believed and what a snapshot found; the belief is replaced. */
      readonly expected: KeyContent | null;
      readonly found: KeyContent | null;
      /** `blind-spot`: nobody was watching, so a difference is no surprise. */
      readonly cause: 'blind-spot' | 'unexplained';
    };

/** What a lock's key holds: `null` where there is no key. A semaphore and a latch are a number, and have no holders. */
export type KeyContent = {
  readonly holders: readonly FoundHolder[];
  readonly expiresAt: RedisTime | null;
  readonly value?: number;
  /** Who stands in a fair lock's queue, head first, the first hundred; absent: as it was believed. */
  readonly queue?: readonly string[];
};

export type EventType = EventDetail['type'];

/** The detail of events of a type. */
export type DetailOf<Type extends EventType> = OfType<EventDetail, Type>;
type OfType<Detail, Type> = Detail extends { readonly type: infer Own } ? (Type extends Own ? Detail : never) : never;

/** The same while it is put together. */
export type Draft<T> = { -readonly [Field in keyof T]: T[Field] };

/** Every event type, for filters and schemas. */
export const EVENT_TYPES = [
  'lock.acquired',
  'lock.reentered',
  'lock.refused',
  'lock.partially-released',
  'lock.released',
  'unlock.refused',
  'lock.force-released',
  'lock.deleted',
  'lock.evicted',
  'db.flushed',
  'lease.renewed',
  'renewal.refused',
  'lease.expired',
  'waiter.subscribed',
  'waiter.unsubscribed',
  'waiter.queued',
  'waiter.dequeued',
  'wakeup.published',
  'permits.set',
  'permits.acquired',
  'permits.refused',
  'permits.released',
  'permits.expired',
  'permits.renewed',
  'latch.set',
  'latch.counted-down',
  'latch.opened',
  'latch.deleted',
  'failover',
  'lock.lost',
  'lock.moved',
  'blind-spot.began',
  'blind-spot.ended',
  'lock.found',
  'lock.learned',
  'drift.healed',
] as const satisfies readonly EventType[];

/** Whether an event is of a whole source and of no lock: a lock may have an empty name too. */
export function isOfSource({ type, lock }: LockEvent): boolean {
  return lock === '' && (type === 'failover' || type === 'blind-spot.began' || type === 'blind-spot.ended');
}
