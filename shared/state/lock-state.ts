import type { Millis, RedisTime } from '../base/time.ts';
import type { Certainty } from '../events/event.ts';
import type { HeldValue, HoldMode } from '../events/hold-event.ts';
import type { LockKind } from '../events/lock-kind.ts';

/** One lock at one instant, as its events made it. Never changed: every event gives a new one. */
export type LockState = {
  readonly source: string;
  readonly db: number;
  readonly name: string;
  readonly kind: LockKind;
  /** False while nothing of it was seen that only this kind does. */
  readonly isKindKnown: boolean;
  /** The library whose way of locking it is; null: not known. */
  readonly library: string | null;
  readonly holders: readonly HolderState[];
  /** How many more hold it than are kept; of a semaphore: how many more permits are out. */
  readonly holdersBeyond: number;
  /** Who lost a hold in a failover and was not told yet: they go on as if they had it. */
  readonly believers: readonly BelieverState[];
  readonly waiters: readonly WaiterState[];
  /** How many more wait than are kept. */
  readonly waitersBeyond: number;
  /** Connections listening on its channel; null before any was seen or counted. */
  readonly subscribers: number | null;
  readonly leaseMs: Millis | null;
  readonly expiresAt: RedisTime | null;
  /** Fenced lock: the number given out with the present hold. */
  readonly fencingToken: string | null;
  /** Semaphore: how many are free, and how many there are in all as far as was seen; null: not known, or none. */
  readonly permits: { readonly available: number; readonly total: number | null } | null;
  /** Latch: what is left to count down; null: not known, or none. */
  readonly latch: { readonly count: number } | null;
  readonly clientVersion: string | null;
  /** How the newest event about its holders is known. */
  readonly certainty: Certainty;
  readonly changedAt: RedisTime;
  readonly changedSeq: number;
  readonly totals: Totals;
};

export type HolderState = {
  /** `uuid:thread`; of a permit its id, or who took it. */
  readonly id: string;
  /** Who took a permit that has an id: the name of the connection, or its address. */
  readonly client?: string;
  /** Permit: until when it is good; null: for ever. Absent: as the lock's lease. */
  readonly expiresAt?: RedisTime | null;
  readonly mode: HoldMode;
  /** Null: there before anybody watched. */
  readonly since: RedisTime | null;
  readonly holdCount: number | null;
  readonly renewals: number;
  readonly lastRenewedAt: RedisTime | null;
  /** Reader: when each of its timeout keys ends, the one for its first count first; absent: not known. */
  readonly timeouts?: readonly (RedisTime | null)[];
  /** Group lock: what of it this holder has. */
  readonly values?: readonly HeldValue[];
  /** The multi lock or RedLock that it holds this lock as a member of. */
  readonly group?: string;
  /** When a script of the holder last set the lease: acquisition, re-entry, renewal or partial release. */
  readonly leaseSetAt: RedisTime | null;
} & FirstTold &
  Lettered;

/** The letter someone has at this lock. Absent: the events carried none. */
export type Lettered = { readonly letter?: string };

/** The event that first showed a hold or a wait. Absent: the state was not made from events. */
export type FirstTold = { readonly firstSeq?: number; readonly firstAt?: RedisTime };

export type BelieverState = {
  readonly id: string;
  readonly mode: HoldMode;
  /** Null: it held the lock before anybody watched. */
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
  /** False for a single refused try, which may be nobody waiting. */
  readonly isConfirmed: boolean;
  /** Fair lock: its place in the queue, 1 for the head; null where it stands in none. */
  readonly position: number | null;
  /** When it will ask again by itself; in a queue, until when it may stand there. Null when that is not known. */
  readonly deadline: RedisTime | null;
  readonly presumedGoneAt: RedisTime | null;
  /** The multi lock or RedLock that it wants this lock for. */
  readonly group?: string;
} & FirstTold &
  Lettered;

/** How many holders of one lock are kept, readers or permits: the first that came. The others are counted. */
export const MOST_HOLDERS = 1000;

/** How many waiters of one lock are kept: the first that came. Of all others it is known how many they are. */
export const MOST_WAITERS = 1000;

/** Counts over everything watched. */
export type Totals = {
  readonly acquisitions: number;
  readonly refusals: number;
  readonly renewals: number;
  readonly expiries: number;
};

/** A lock's id: unique over all sources. */
export function lockIdOf(of: { source: string; db: number; lock: string }): string {
  return `${of.source}/${of.db}/${of.lock}`;
}

/** Whether a lock is neither held nor waited for: all permits are there, the latch is open. */
export function isFree({ holders, holdersBeyond, waiters, believers, permits, latch }: LockState): boolean {
  const isOut = permits !== null && permits.total !== null && permits.available < permits.total;
  const claims = holders.length + holdersBeyond + waiters.length + believers.length;
  return claims === 0 && !isOut && (latch?.count ?? 0) === 0;
}

/** How many surely wait for a lock. */
export function waitingFor(lock: LockState): number {
  let waiting = lock.waitersBeyond;
  for (const { isConfirmed, presumedGoneAt } of lock.waiters) if (isConfirmed && presumedGoneAt === null) waiting++;
  return waiting;
}
