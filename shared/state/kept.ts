import type { HolderState, LockState } from './lock-state.ts';

/*
 * Locks and holders as they are kept. Most have none of the rare fields below, and are kept without room for them: a
 * held lock then takes 216 bytes less. A lock has only two forms, and so has a holder, so their fields are still
 * accessed fast.
 */

type MayBeAbsent<T> = { [Field in keyof T]-?: undefined extends T[Field] ? Field : never }[keyof T];

const RARE_FIELDS_OF_LOCK = namesIn<MayBeAbsent<LockState>>({
  evidence: true,
  listenedSince: true,
  totalSetAt: true,
  raised: true,
  beyond: true,
  refilled: true,
  handovers: true,
  freed: true,
  holderUnseen: true,
  downgraded: true,
  notes: true,
});

const RARE_FIELDS_OF_HOLDER = namesIn<Exclude<MayBeAbsent<HolderState>, 'firstSeq' | 'firstAt' | 'letter'>>({
  client: true,
  uuid: true,
  expiresAt: true,
  firstRenewedAt: true,
  keptAt: true,
  timeouts: true,
  keptBy: true,
  reentries: true,
  values: true,
  group: true,
});

/** The lock, without memory for rare fields if it has none of them. */
export function keptLock(lock: LockState): LockState {
  if (hasOneOf(RARE_FIELDS_OF_LOCK, lock)) return lock;
  return {
    source: lock.source,
    db: lock.db,
    name: lock.name,
    kind: lock.kind,
    isKindKnown: lock.isKindKnown,
    library: lock.library,
    holders: lock.holders,
    holdersBeyond: lock.holdersBeyond,
    believers: lock.believers,
    waiters: lock.waiters,
    waitersBeyond: lock.waitersBeyond,
    subscribers: lock.subscribers,
    leaseMs: lock.leaseMs,
    expiresAt: lock.expiresAt,
    neverEnds: lock.neverEnds,
    fencingToken: lock.fencingToken,
    permits: lock.permits,
    latch: lock.latch,
    clientVersion: lock.clientVersion,
    certainty: lock.certainty,
    changedAt: lock.changedAt,
    changedSeq: lock.changedSeq,
    totals: lock.totals,
  };
}

/** The holder, without memory for rare fields if it has none of them. */
export function keptHolder(holder: HolderState): HolderState {
  if (hasOneOf(RARE_FIELDS_OF_HOLDER, holder)) return holder;
  const kept: { [Field in keyof HolderState]: HolderState[Field] | undefined } = {
    id: holder.id,
    mode: holder.mode,
    since: holder.since,
    holdCount: holder.holdCount,
    renewals: holder.renewals,
    lastRenewedAt: holder.lastRenewedAt,
    leaseSetAt: holder.leaseSetAt,
    firstSeq: holder.firstSeq,
    firstAt: holder.firstAt,
    letter: holder.letter,
  };
  return kept as HolderState; // an undefined field counts as absent
}

function hasOneOf<T extends object>(names: readonly (keyof T)[], state: T): boolean {
  for (const name of names) if (state[name] !== undefined) return true;
  return false;
}

/** Returns the names of the fields. The compiler reports a name that is missing. */
function namesIn<Name extends string>(names: Record<Name, true>): readonly Name[] {
  return Object.keys(names) as Name[];
}
