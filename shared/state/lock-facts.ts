import type { Millis, RedisTime } from '../base/time.ts';
import type { Certainty, EventType } from '../events/event.ts';
import type { HeldValue, HoldMode } from '../events/types/hold-event.ts';
import type { LockEvidence } from '../events/types/lock-evidence.ts';
import type { LockKind } from '../events/types/lock-kind.ts';

/** What is known about one lock at one instant, without the notes of single detectors (`notes/lock-notes.ts`). */
export type LockFacts = {
  readonly source: string;
  readonly db: number;
  readonly name: string;
  readonly kind: LockKind;
  /** False until something is seen that only locks of this kind do. */
  readonly isKindKnown: boolean;
  /**
   * What shows that the key is probably a lock of the application's own. Absent: a library uses the lock, or the user
   * or a comparison has confirmed it.
   */
  readonly evidence?: readonly LockEvidence[];
  /** The library that uses the lock, judged by what was seen of it; null: not known. */
  readonly library: string | null;
  readonly holders: readonly HolderState[];
  /** The number of holders that are not listed. Semaphore: the number of permits that these have. */
  readonly holdersBeyond: number;
  /** Holders that lost their hold in a failover and do not know it yet. */
  readonly believers: readonly BelieverState[];
  readonly waiters: readonly WaiterState[];
  /** The number of waiters that are not listed. */
  readonly waitersBeyond: number;
  /** How many connections listen on the lock's channel; null before any was seen or counted. */
  readonly subscribers: number | null;
  /** Since when at least one connection has listened, as far as seen. Absent: no connection is known to listen. */
  readonly listenedSince?: RedisTime;
  readonly leaseMs: Millis | null;
  /** When the lease ends; null: never, or not known. */
  readonly expiresAt: RedisTime | null;
  /** True if the key is known to have no end. */
  readonly neverEnds: boolean;
  /** Fenced lock: the fencing token of the current hold. */
  readonly fencingToken: string | null;
  /** Semaphore: the free permits, and all permits if known. Null: another kind, deleted, or not known. */
  readonly permits: { readonly available: number; readonly total: number | null } | null;
  /**
   * Semaphore: when the number of all permits was last set, not only changed by an amount. Absent: that was not seen.
   */
  readonly totalSetAt?: RedisTime;
  /**
   * Semaphore: more permits were released than acquired. Absent: not since their number was set, changed, read or
   * deleted.
   */
  readonly raised?: Raised;
  /**
   * Semaphore: more permits were out than exist. Absent: not seen since their number was set, changed, read or deleted.
   */
  readonly beyond?: BeyondLimit;
  /** Semaphore: when permits last became free. Absent: no waiter was listed then, or it was not seen. */
  readonly refilled?: { readonly at: RedisTime; readonly seq: number };
  /** Latch: the remaining count. Null: another kind, deleted, or not known. */
  readonly latch: { readonly count: number } | null;
  readonly clientVersion: string | null;
  /**
   * The certainty of the newest event about a hold, the count of a latch, or permits (except a refusal or a renewal).
   */
  readonly certainty: Certainty;
  readonly changedAt: RedisTime;
  readonly changedSeq: number;
  readonly totals: Totals;
  /** How often the lock changes hands. Absent: no hand-over was seen. */
  readonly handovers?: Handovers;
  /**
   * How the lock became free, if that was seen and its key is a hash. Present only while the lock is free, in three
   * cases: it has waiters or listeners, its key was lost, or its release is inferred.
   */
  readonly freed?: Freed;
  /**
   * The first and the newest (`lastAt`) refused attempt that shows a holder that was not seen. Absent: there was none
   * since a hold, or the end of one, was seen.
   */
  readonly holderUnseen?: { readonly at: RedisTime; readonly seq: number; readonly lastAt: RedisTime };
  /**
   * The writer that went on as a reader and sent no message to the readers that wait. Present only while readers hold
   * the lock and another reader is asleep.
   */
  readonly downgraded?: { readonly at: RedisTime; readonly seq: number; readonly holder: string };
};

/** How a lock became free, and the events since. */
export type Freed = {
  readonly at: RedisTime;
  readonly seq: number;
  /** The type of the event that freed the lock. */
  readonly by: EventType;
  /** When the lease would have ended; absent: never, or not known. */
  readonly leaseEnd?: RedisTime;
  /** The newest message since then; `to`: the only waiter that it wakes. */
  readonly message?: { readonly at: RedisTime; readonly seq: number; readonly to?: string };
  /** The first SUBSCRIBE since that message that no attempt preceded: a connection was cut and opened again. */
  readonly resubscribed?: { readonly at: RedisTime; readonly seq: number };
  /** When a thread was last refused since that message. Without a message: since the lock became free. */
  readonly triedAt?: RedisTime;
  /**
   * After an inferred release: the newest event that reported listeners at least 2 s after that message. Without a
   * message: at least 2 s after the lock became free.
   */
  readonly listened?: { readonly at: RedisTime; readonly seq: number };
  /** The release is inferred, for example from a read, so the waiters at that time are not known. */
  readonly isInferred?: true;
};

/** Releases of a semaphore beyond the permits that were acquired. */
type Raised = {
  /** The first of these releases. */
  readonly since: RedisTime;
  readonly seq: number;
  /** The newest of these releases: the name or address of its connection (null: not known), and when it happened. */
  readonly by: string | null;
  readonly at: RedisTime;
  /** How many permits all these releases added, and how many permits there were before. */
  readonly permits: number;
  readonly before: number;
};

/** A range in which more permits of a semaphore were out than exist: the newest one. */
type BeyondLimit = {
  readonly since: RedisTime;
  readonly seq: number;
  /** When the range ended; null: it has not. */
  readonly to: RedisTime | null;
  /** How many permits exist, without any that `Raised` counts, and the most that were out. */
  readonly limit: number;
  readonly out: number;
  /**
   * True: releases beyond the permits that were acquired raised the number of permits. Absent: clients allow different
   * numbers of permits.
   */
  readonly isRaised?: true;
  /** The name or address of the connection that first acquired a permit too many; null: not known. */
  readonly by: string | null;
};

/**
 * The average number of hand-overs a second since the first one, as of `at`. It fades while there are no further ones.
 */
export type Handovers = { readonly perSecond: number; readonly since: RedisTime; readonly at: RedisTime };

export type HolderState = {
  /** `uuid:thread` or a token. Permit: its id, or the connection that acquired it. */
  readonly id: string;
  /**
   * Permit with an id: the name of the connection that acquired it, otherwise the address. Empty or absent: not known.
   */
  readonly client?: string;
  /**
   * Permit without an id: the client (uuid) that acquired all permits of this holder. Absent: not known, or there are
   * several.
   */
  readonly uuid?: string;
  /** Permit: its deadline; null: it has none. Absent: it ends with the lock's lease. */
  readonly expiresAt?: RedisTime | null;
  readonly mode: HoldMode;
  /** When the hold began; null: its beginning was not seen. */
  readonly since: RedisTime | null;
  readonly holdCount: number | null;
  readonly renewals: number;
  readonly lastRenewedAt: RedisTime | null;
  /** Absent: the hold was not renewed, or its beginning was not seen. */
  readonly firstRenewedAt?: RedisTime;
  /** Reader: when each timeout key of the hold ends, in the order of its counts; absent: not known. */
  readonly timeouts?: readonly (RedisTime | null)[];
  /** Reader: the holder of another client whose renewal last moved the `timeouts`. Absent: there was none. */
  readonly keptBy?: string;
  /** Absent: the hold was not re-entered. */
  readonly reentries?: Reentries;
  /** Group lock: the values this holder has. */
  readonly values?: readonly HeldValue[];
  /** The id of the multi lock or RedLock that this hold belongs to. */
  readonly group?: string;
  /** When a read last found the hold again after a failover or a blind spot. Absent: none has. */
  readonly keptAt?: RedisTime;
  /**
   * When the holder last set the lease, for example by an acquisition, a re-entry, a renewal or a partial release, or
   * when any holder may have set it. Null: that was not seen.
   */
  readonly leaseSetAt: RedisTime | null;
} & FirstReported &
  Lettered;

/** How a hold was counted up and down. */
type Reentries = {
  readonly firstAt: RedisTime;
  readonly lastAt: RedisTime;
  /** How often the hold count rose from 1 to 2. */
  readonly rises: number;
  /** When an unlock last left a count above 0. Absent: none has. */
  readonly leftAt?: RedisTime;
};

/** The letter of a holder or waiter at this lock. Absent: the events contained no letter. */
export type Lettered = { readonly letter?: string };

/** The event that first showed a hold or a wait. Absent: the state was not made from events. */
export type FirstReported = { readonly firstSeq?: number; readonly firstAt?: RedisTime };

export type BelieverState = {
  readonly id: string;
  readonly mode: HoldMode;
  /** When the lost hold began; null: its beginning was not seen. */
  readonly since: RedisTime | null;
  readonly lostAt: RedisTime;
  /** When the lease of the lost hold would have run out; null: never, or not known. */
  readonly until: RedisTime | null;
  /** `seq` of the `lock.lost`. Absent: the state was not made from events. */
  readonly lostSeq?: number;
  /** The id of the multi lock or RedLock that this hold belonged to. */
  readonly group?: string;
} & Lettered;

export type WaiterState = {
  readonly id: string;
  readonly mode: HoldMode | 'latch';
  readonly since: RedisTime;
  readonly attempts: number;
  readonly isAsleep: boolean;
  /** False as long as each refused attempt may have been a `tryLock()` that does not wait. */
  readonly isConfirmed: boolean;
  /** Fair lock: the waiter's place in the queue, 1 for the head; null if it is not in a queue. */
  readonly position: number | null;
  /**
   * When the waiter's own timer ends. Fair lock: until when it may stay in the queue. Null: not known, or there is no
   * such time.
   */
  readonly deadline: RedisTime | null;
  readonly presumedGoneAt: RedisTime | null;
  /** The waiter is presumed gone, and its thread was seen to do something else: its call has ended. */
  readonly hasGoneOn?: true;
  /** The id of the multi lock or RedLock for which the waiter wants this lock. */
  readonly group?: string;
  /**
   * Present if the operation on several locks released what it held, and began again: the number of its round (2 or
   * more), and when its first round began.
   */
  readonly rounds?: { readonly round: number; readonly since: RedisTime };
  /**
   * When the waiter's own timer wakes it, if `deadline` does not show that; null: the waiter set no timer, so only a
   * message wakes it.
   */
  readonly sleepsUntil?: RedisTime | null;
  /** Fair lock: the waiter was evicted from the queue while it waited. */
  readonly evicted?: Evicted;
  /** Fair lock: the event that showed the waiter in the queue without a deadline. */
  readonly undated?: { readonly at: RedisTime; readonly seq: number };
  /** node-redlock: the newest refused attempt, and the token that held the lock then; null: none is known. */
  readonly tried?: { readonly at: RedisTime; readonly heldBy: string | null };
  /**
   * The wait began before `since`, or may have: `since` is only when it was first seen. Then the waiter already slept
   * or listened, a read found it in a queue, or it polls and earlier attempts may be unseen.
   */
  readonly isOlder?: true;
  /** Semaphore: the most permits that the waiter asks for, and when it last asked. */
  readonly asks?: { readonly permits: number; readonly at: RedisTime };
  /** The present series of refused attempts that the thread repeats without sleep. */
  readonly run?: AttemptRun;
  /** Refused attempts of the thread that follow each other and belong to no wait (W20). Absent: fewer than two. */
  readonly again?: { readonly since: RedisTime; readonly attempts: number };
} & FirstReported &
  Lettered;

/** The eviction of a waiter from a fair lock's queue. */
export type Evicted = {
  readonly at: RedisTime;
  readonly seq: number;
  readonly deadline: RedisTime | null;
  /** How far the clock of the evicting client was ahead of Redis's; absent: by less than 1 s, or not known. */
  readonly aheadMs?: Millis;
  /** The first attempt since; absent: none. */
  readonly backAt?: RedisTime;
};

/** Attempts in quick succession: when the first one was, its `seq` and its number, and when the newest one was. */
type AttemptRun = {
  readonly since: RedisTime;
  readonly seq: number;
  readonly firstAttempt: number;
  readonly lastAt: RedisTime;
};

/** How many holders of one lock are listed, readers or permits. Further ones are only counted. */
export const MOST_HOLDERS = 1000;

/** Five waiters and more are a crowd. */
export const CROWD = 5;

/** How many waiters of one lock are listed. Further ones are only counted. */
export const MOST_WAITERS = 1000;

/** Counts since the lock was first seen. */
export type Totals = {
  readonly acquisitions: number;
  readonly refusals: number;
  readonly renewals: number;
  readonly expiries: number;
};
