import type { Millis, RedisTime } from '../base/time.ts';
import type { Certainty } from '../events/event.ts';
import type { HeldValue, HoldMode } from '../events/types/hold-event.ts';
import type { LockKind } from '../events/types/lock-kind.ts';

/** One lock at one instant, derived from its events. It is never changed: every event makes a new one. */
export type LockState = {
  readonly source: string;
  readonly db: number;
  readonly name: string;
  readonly kind: LockKind;
  /** False until something is seen that only this kind does. */
  readonly isKindKnown: boolean;
  /** The library that locks this way; null: not known. */
  readonly library: string | null;
  readonly holders: readonly HolderState[];
  /** The number of holders that are not listed. Semaphore: the number of permits they have. */
  readonly holdersBeyond: number;
  /** Holders that lost their hold in a failover and do not know it yet. */
  readonly believers: readonly BelieverState[];
  readonly waiters: readonly WaiterState[];
  /** The number of waiters that are not listed. */
  readonly waitersBeyond: number;
  /** Connections listening on its channel; null before any was seen or counted. */
  readonly subscribers: number | null;
  readonly leaseMs: Millis | null;
  /** When the lease ends; null: never, or not known. */
  readonly expiresAt: RedisTime | null;
  /** True if the key is known to have no end. */
  readonly neverEnds: boolean;
  /** Fenced lock: the fencing token of the current hold. */
  readonly fencingToken: string | null;
  /** Semaphore: the free permits, and all permits if known. Null: another kind, deleted, or not known. */
  readonly permits: { readonly available: number; readonly total: number | null } | null;
  /** Latch: the remaining count. Null: another kind, deleted, or not known. */
  readonly latch: { readonly count: number } | null;
  readonly clientVersion: string | null;
  /** The certainty of the newest event about its holders. */
  readonly certainty: Certainty;
  readonly changedAt: RedisTime;
  readonly changedSeq: number;
  readonly totals: Totals;
  /** Absent: no hand-over was seen. */
  readonly handovers?: Handovers;
};

/** The average number of hand-overs a second since the first one, as of `at`. It fades while there are no further ones. */
export type Handovers = { readonly perSecond: number; readonly since: RedisTime; readonly at: RedisTime };

export type HolderState = {
  /** `uuid:thread` or a token. Permit: its id, or the connection that took it. */
  readonly id: string;
  /** Permit with an id: the name of the connection that took it, otherwise the address. */
  readonly client?: string;
  /** Permit: its deadline; null: it has none. Absent: the lock's lease applies. */
  readonly expiresAt?: RedisTime | null;
  readonly mode: HoldMode;
  /** Null: it began before watching began. */
  readonly since: RedisTime | null;
  readonly holdCount: number | null;
  readonly renewals: number;
  readonly lastRenewedAt: RedisTime | null;
  /** Reader: when each of its timeout keys ends, the one for its first count first; absent: not known. */
  readonly timeouts?: readonly (RedisTime | null)[];
  /** Group lock: the values this holder has. */
  readonly values?: readonly HeldValue[];
  /** The id of the multi lock or RedLock that this hold belongs to. */
  readonly group?: string;
  /** When a script of the holder last set the lease: acquisition, re-entry, renewal or partial release. */
  readonly leaseSetAt: RedisTime | null;
} & FirstTold &
  Lettered;

/** The letter of a person at this lock. Absent: the events carried none. */
export type Lettered = { readonly letter?: string };

/** The event that first showed a hold or a wait. Absent: the state was not made from events. */
export type FirstTold = { readonly firstSeq?: number; readonly firstAt?: RedisTime };

export type BelieverState = {
  readonly id: string;
  readonly mode: HoldMode;
  /** Null: its hold began before watching began. */
  readonly since: RedisTime | null;
  readonly lostAt: RedisTime;
  /** When its lease would have run out; null: never, or not known. */
  readonly until: RedisTime | null;
  /** `seq` of the `lock.lost`. Absent: the state was not made from events. */
  readonly lostSeq?: number;
} & Lettered;

export type WaiterState = {
  readonly id: string;
  readonly mode: HoldMode | 'latch';
  readonly since: RedisTime;
  readonly attempts: number;
  readonly isAsleep: boolean;
  /** False after a single refused attempt: it may have been a `tryLock()` that does not wait. */
  readonly isConfirmed: boolean;
  /** Fair lock: its place in the queue, 1 for the head; null if it is not in a queue. */
  readonly position: number | null;
  /** When its own timer ends. Fair lock: until when it may stay in the queue. Null: not known, or there is no such time. */
  readonly deadline: RedisTime | null;
  readonly presumedGoneAt: RedisTime | null;
  /** The id of the multi lock or RedLock that it wants this lock for. */
  readonly group?: string;
} & FirstTold &
  Lettered;

/** How many holders of one lock are listed, readers or permits. Further ones are only counted. */
export const MOST_HOLDERS = 1000;

/** How many waiters of one lock are listed. Further ones are only counted. */
export const MOST_WAITERS = 1000;

/** Counts over everything watched. */
export type Totals = {
  readonly acquisitions: number;
  readonly refusals: number;
  readonly renewals: number;
  readonly expiries: number;
};

/** The id of a lock: unique over all sources. */
export function lockIdOf(of: { source: string; db: number; lock: string }): string {
  return `${of.source}/${of.db}/${of.lock}`;
}

/** The id of this lock. */
export function idOf({ source, db, name }: Pick<LockState, 'source' | 'db' | 'name'>): string {
  return lockIdOf({ source, db, lock: name });
}

/** The name in the id of a lock. */
export function nameInId(id: string): string {
  return id.slice(id.indexOf('/', id.indexOf('/') + 1) + 1);
}

/** Whether a lock has no holders, waiters or believers. A semaphore must have all permits, a latch must be open. */
export function isFree({ holders, holdersBeyond, waiters, believers, permits, latch }: LockState): boolean {
  const isOut = permits !== null && permits.total !== null && permits.available < permits.total;
  const claims = holders.length + holdersBeyond + waiters.length + believers.length;
  return claims === 0 && !isOut && (latch?.count ?? 0) === 0;
}

/** The number of confirmed waiters of a lock that are not presumed gone. */
export function waitingFor(lock: LockState): number {
  let waiting = lock.waitersBeyond;
  for (const { isConfirmed, presumedGoneAt } of lock.waiters) if (isConfirmed && presumedGoneAt === null) waiting++;
  return waiting;
}
