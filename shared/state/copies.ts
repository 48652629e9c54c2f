import type { RedisTime } from '../base/time.ts';
import type { HoldMode } from '../events/types/hold-event.ts';
import { keptHolder } from './kept.ts';
import type { Freed, HolderState, LockState, Totals, WaiterState } from './lock-state.ts';

/*
 * Copies of a state with other values in some fields. They are written field by field: in Node 20, `{ ...lock, freed }`
 * is ten times slower. It may also give each copy a hidden class of its own, which slows down every access to its
 * fields.
 */

/** New values; undefined removes a field that may be absent. */
export type Changes<T> = { readonly [Field in keyof T]?: T[Field] | (undefined extends T[Field] ? undefined : never) };
/** Every field of `T`, so that none can be forgotten. */
type Whole<T> = { readonly [Field in keyof Required<T>]: T[Field] | undefined };

export function lockWith(lock: LockState, ...changes: readonly (Changes<LockState> | undefined)[]): LockState {
  const copy: Whole<LockState> = {
    source: lock.source,
    db: lock.db,
    name: lock.name,
    kind: lock.kind,
    isKindKnown: lock.isKindKnown,
    evidence: lock.evidence,
    library: lock.library,
    holders: lock.holders,
    holdersBeyond: lock.holdersBeyond,
    believers: lock.believers,
    waiters: lock.waiters,
    waitersBeyond: lock.waitersBeyond,
    subscribers: lock.subscribers,
    listenedSince: lock.listenedSince,
    leaseMs: lock.leaseMs,
    expiresAt: lock.expiresAt,
    neverEnds: lock.neverEnds,
    fencingToken: lock.fencingToken,
    permits: lock.permits,
    totalSetAt: lock.totalSetAt,
    raised: lock.raised,
    beyond: lock.beyond,
    refilled: lock.refilled,
    latch: lock.latch,
    clientVersion: lock.clientVersion,
    certainty: lock.certainty,
    changedAt: lock.changedAt,
    changedSeq: lock.changedSeq,
    totals: lock.totals,
    handovers: lock.handovers,
    freed: lock.freed,
    holderUnseen: lock.holderUnseen,
    downgraded: lock.downgraded,
    notes: lock.notes,
  };
  return Object.assign(copy as LockState, ...changes); // the function copies every field
}

export function holderWith(
  holder: HolderState,
  ...changes: readonly (Changes<HolderState> | undefined)[]
): HolderState {
  const copy: Whole<HolderState> = {
    id: holder.id,
    client: holder.client,
    uuid: holder.uuid,
    expiresAt: holder.expiresAt,
    mode: holder.mode,
    since: holder.since,
    holdCount: holder.holdCount,
    renewals: holder.renewals,
    lastRenewedAt: holder.lastRenewedAt,
    firstRenewedAt: holder.firstRenewedAt,
    keptAt: holder.keptAt,
    timeouts: holder.timeouts,
    keptBy: holder.keptBy,
    reentries: holder.reentries,
    values: holder.values,
    group: holder.group,
    leaseSetAt: holder.leaseSetAt,
    firstSeq: holder.firstSeq,
    firstAt: holder.firstAt,
    letter: holder.letter,
  };
  return keptHolder(Object.assign(copy as HolderState, ...changes)); // the function copies every field
}

export function waiterWith(
  waiter: WaiterState,
  ...changes: readonly (Changes<WaiterState> | undefined)[]
): WaiterState {
  const copy: Whole<WaiterState> = {
    id: waiter.id,
    mode: waiter.mode,
    since: waiter.since,
    attempts: waiter.attempts,
    isAsleep: waiter.isAsleep,
    isConfirmed: waiter.isConfirmed,
    position: waiter.position,
    deadline: waiter.deadline,
    presumedGoneAt: waiter.presumedGoneAt,
    hasGoneOn: waiter.hasGoneOn,
    group: waiter.group,
    rounds: waiter.rounds,
    sleepsUntil: waiter.sleepsUntil,
    evicted: waiter.evicted,
    undated: waiter.undated,
    tried: waiter.tried,
    isOlder: waiter.isOlder,
    asks: waiter.asks,
    run: waiter.run,
    again: waiter.again,
    firstSeq: waiter.firstSeq,
    firstAt: waiter.firstAt,
    letter: waiter.letter,
  };
  return Object.assign(copy as WaiterState, ...changes); // the function copies every field
}

export function freedWith(freed: Freed, ...changes: readonly (Changes<Freed> | undefined)[]): Freed {
  const copy: Whole<Freed> = {
    at: freed.at,
    seq: freed.seq,
    by: freed.by,
    leaseEnd: freed.leaseEnd,
    message: freed.message,
    resubscribed: freed.resubscribed,
    triedAt: freed.triedAt,
    listened: freed.listened,
    isInferred: freed.isInferred,
  };
  return Object.assign(copy as Freed, ...changes); // the function copies every field
}

/** A holder about which nothing else is known. */
export function newHolder(id: string, mode: HoldMode, since: RedisTime | null = null): HolderState {
  return { id, mode, since, holdCount: null, renewals: 0, lastRenewedAt: null, leaseSetAt: null };
}

/** A waiter about which nothing else is known. */
export function newWaiter(id: string, mode: WaiterState['mode'], since: RedisTime): WaiterState {
  const none = { position: null, deadline: null, presumedGoneAt: null };
  return { id, mode, since, attempts: 0, isAsleep: false, isConfirmed: false, ...none };
}

/** Returns the totals with one of them increased by 1. */
export function countedUp(totals: Totals, what: keyof Totals): Totals {
  const { acquisitions, refusals, renewals, expiries } = totals;
  const counted = { acquisitions, refusals, renewals, expiries };
  counted[what]++;
  return counted;
}
