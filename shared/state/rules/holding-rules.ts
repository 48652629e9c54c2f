import type { RedisTime } from '../../base/time.ts';
import type { EventOf, LockEvent } from '../../events/event.ts';
import { KINDS } from '../../events/kinds/kinds.ts';
import { clientOf } from '../../events/names/names.ts';
import type { HoldMode, ReadTimeouts } from '../../events/types/hold-event.ts';
import type { FoundHolder } from '../../events/types/watch-event.ts';
import { shownAt } from '../assumed-holds.ts';
import { countedUp, holderWith, lockWith, newHolder } from '../copies.ts';
import { type HolderState, type LockState, MOST_HOLDERS } from '../lock-state.ts';
import type { Rules } from '../rule.ts';
import { oneFewerBeyond, withoutQueued } from './queue-rules.ts';

/** The holders of a lock, their hold counts, and the lease. */
export const HOLDING_RULES: Rules<
  | 'lock.acquired'
  | 'lock.reentered'
  | 'lock.partially-released'
  | 'lock.released'
  | 'lease.expired'
  | 'lock.force-released'
  | 'lock.deleted'
  | 'lock.evicted'
  | 'db.flushed'
  | 'lock.moved'
  | 'lease.renewed'
  | 'lease.shortened'
  | 'lock.found'
  | 'drift.healed'
> = {
  'lock.acquired': acquired,
  'lock.reentered': recounted,
  'lock.partially-released': recounted,
  'lock.released': (lock, event) => withoutHold(lock, event.holder, event.mode, event),
  'lease.expired': expired,
  'lock.force-released': freed,
  'lock.deleted': freed,
  'lock.evicted': freed,
  'db.flushed': freed,
  'lock.moved': freed,
  'lease.renewed': renewed,
  'lease.shortened': shortened,
  'lock.found': (lock, event) => replaced(lock, event.holders, endOf(event), event),
  'drift.healed': (lock, event) =>
    event.found ? replaced(lock, event.found.holders, endOf(event.found), event) : freed(lock, event),
};

function expired(lock: LockState, event: EventOf<'lease.expired'>): LockState {
  const totals = countedUp(lock.totals, 'expiries');
  const after = event.holder === undefined ? freed(lock, event) : withoutHold(lock, event.holder, event.mode, event);
  return lockWith(after, { totals });
}

function acquired(before: LockState, event: EventOf<'lock.acquired'>): LockState {
  // if there is a queue, only its head can acquire the lock
  const hasWaited = event.waitedMs !== undefined || KINDS[event.kind].hasQueue === true;
  const isBeyond = hasWaited && !before.waiters.some(({ id }) => id === event.holder);
  const lock = isBeyond ? oneFewerBeyond(before) : before;
  const holder: HolderState = {
    id: event.holder,
    mode: event.mode,
    since: event.isOlder ? null : event.at,
    holdCount: event.holdCount ?? null,
    renewals: 0,
    lastRenewedAt: null,
    leaseSetAt: event.at,
  };
  const known = lock.holders.find((other) => isHold(other, event));
  const others = lock.holders.filter((other) => other !== known);
  const { holdersBeyond } = lock;
  const holding = withHolder({ holders: others, holdersBeyond }, undefined, holder, known === undefined);
  return lockWith(lock, withTimeouts(holding, event), leaseOf(lock, event), tokenOf(lock, event), {
    waiters: withoutQueued(lock.waiters, event.holder, { shiftMs: event.shiftMs ?? 0, isShiftOfAll: true }),
    clientVersion: event.clientVersion ?? lock.clientVersion,
    certainty: event.certainty,
    totals: event.isOlder ? lock.totals : countedUp(lock.totals, 'acquisitions'),
  });
}

function recounted(lock: LockState, event: EventOf<'lock.reentered' | 'lock.partially-released'>): LockState {
  const known = lock.holders.find((holder) => isHold(holder, event));
  const { mode, at } = event;
  const again = { mode, holdCount: event.holdCount ?? null, leaseSetAt: at };
  const holder = holderWith(known ?? newHolder(event.holder, mode), again, recount(known, event));
  const holding = withTimeouts(withHolder(lock, known, holder), event);
  return lockWith(lock, holding, leaseOf(lock, event), tokenOf(lock, event), {
    waiters: withoutQueued(lock.waiters, event.holder),
    certainty: event.certainty,
  });
}

/** The notes about re-entries, after a re-entry or a partial release. */
function recount(
  known: HolderState | undefined,
  { type, at, holdCount }: EventOf<'lock.reentered' | 'lock.partially-released'>,
): Pick<HolderState, 'reentries'> {
  const before = known?.reentries;
  if (type === 'lock.partially-released') return before ? { reentries: { ...before, leftAt: at } } : {};
  const rises = (before?.rises ?? 0) + (holdCount === 2 ? 1 : 0);
  const left = before?.leftAt === undefined ? undefined : { leftAt: before.leftAt };
  return { reentries: { firstAt: before?.firstAt ?? at, lastAt: at, rises, ...left } };
}

/** Sets the count and the lease of a known hold, after a read has shown them. */
export function counted(lock: LockState, event: EventOf<'lock.learned'>, holdCount: number): LockState {
  const of = { holder: event.holder ?? '', mode: event.mode ?? ('exclusive' as const) };
  const holders = lock.holders.map((holder) => (isHold(holder, of) ? holderWith(holder, { holdCount }) : holder));
  return lockWith(lock, leaseOf(lock, event), { holders });
}

function renewed(lock: LockState, event: EventOf<'lease.renewed'>): LockState {
  const lease = lockWith(lock, leaseOf(lock, event));
  const { holder: id } = event;
  if (event.cause === undefined) return withLeaseSet(lease, event.at);
  if (id === undefined) return lease;
  const mode = event.mode ?? 'exclusive';
  const known = lock.holders.find((holder) => isHold(holder, { holder: id, mode }));
  const before = known ?? newHolder(id, mode);
  const renewal = { renewals: before.renewals + 1, lastRenewedAt: event.at, leaseSetAt: event.at };
  const first = before.renewals === 0 && before.since !== null ? { firstRenewedAt: event.at } : undefined;
  const holding = withTimeouts(withHolder(lock, known, holderWith(before, renewal, first)), event);
  return lockWith(lease, holding, {
    clientVersion: event.clientVersion ?? lock.clientVersion,
    certainty: event.certainty,
    totals: countedUp(lock.totals, 'renewals'),
  });
}

/**
 * Notes that all holders may have set the lease at this instant, because it is not known what set it. If it was a
 * watchdog, no renewal is missing before a third of the lease is over.
 */
function withLeaseSet(lock: LockState, at: RedisTime): LockState {
  return lockWith(lock, { holders: lock.holders.map((holder) => holderWith(holder, { leaseSetAt: at })) });
}

function shortened(lock: LockState, event: EventOf<'lease.shortened'>): LockState {
  const lease = lockWith(lock, leaseOf(lock, event));
  const mode = event.mode ?? 'exclusive';
  const { holder: id } = event;
  const known = id && lock.holders.find((holder) => isHold(holder, { holder: id, mode }));
  if (event.cause !== 'holder' || !known) return lease;
  return lockWith(lease, withTimeouts(withHolder(lock, known, holderWith(known, { leaseSetAt: event.at })), event));
}

/** A hold is one field of the hash. A holder may have two: one with the mode `write`, and one with another mode. */
function isHold({ id, mode }: HolderState, of: { readonly holder: string; readonly mode: HoldMode }): boolean {
  return id === of.holder && (mode === 'write') === (of.mode === 'write');
}

/** The holders that are listed, and the number of further ones. */
type Holding = Pick<LockState, 'holders' | 'holdersBeyond'>;

/**
 * Replaces the known holder, or adds the holder if `known` is undefined. If the list is full, the holder is only
 * counted. `isNew`: the hold was not counted before.
 */
function withHolder(
  { holders, holdersBeyond }: Holding,
  known: HolderState | undefined,
  holder: HolderState,
  isNew = false,
): Holding {
  if (known) return { holders: holders.map((other) => (other === known ? holder : other)), holdersBeyond };
  if (holders.length >= MOST_HOLDERS) return { holders, holdersBeyond: holdersBeyond + (isNew ? 1 : 0) };
  // a holder that was only counted so far is listed now that it has an event and there is room
  return { holders: [...holders, holder], holdersBeyond: isNew ? holdersBeyond : Math.max(0, holdersBeyond - 1) };
}

/** Sets the ends of the readers' timeout keys that an event reports. */
function withTimeouts(
  holding: Holding,
  { readTimeouts, holder: by }: { readonly readTimeouts?: ReadTimeouts; readonly holder?: string },
): Holding {
  if (!readTimeouts) return holding;
  const holders = holding.holders.map((each) => {
    const set = each.mode === 'read' ? readTimeouts.find(({ holder }) => holder === each.id) : undefined;
    if (!set) return each;
    const isOther = by !== undefined && clientOf(by) !== clientOf(each.id);
    return holderWith(each, { timeouts: set.ends }, isOther ? { keptBy: by } : undefined);
  });
  return { holders, holdersBeyond: holding.holdersBeyond };
}

export function withoutHold(lock: LockState, holder: string, mode: HoldMode, event: LockEvent): LockState {
  const holders = lock.holders.filter((other) => !isHold(other, { holder, mode }));
  const isUnlisted = holders.length === lock.holders.length;
  const holdersBeyond = Math.max(0, lock.holdersBeyond - (isUnlisted ? 1 : 0));
  if (holders.length + holdersBeyond === 0) return freed(lock, event);
  const lease = event.type === 'lock.released' && event.expiresAt ? endOf(event) : undefined;
  return lockWith(lock, lease, { holders, holdersBeyond, certainty: event.certainty });
}

function freed(lock: LockState, event: LockEvent): LockState {
  const none = { holders: [], holdersBeyond: 0, leaseMs: null, fencingToken: null };
  return lockWith(lock, none, NO_END_KNOWN, { certainty: event.certainty });
}

function replaced(
  lock: LockState,
  found: readonly FoundHolder[],
  end: LeaseEnd,
  event: EventOf<'lock.found' | 'drift.healed'>,
): LockState {
  const kept = event.type === 'lock.found' && event.isKept ? { keptAt: event.at } : undefined;
  const { gapEndedAt = 0 } = kept ? {} : event;
  const holders = found.slice(0, MOST_HOLDERS).map(({ holder, holdCount, mode, since, values }): HolderState => {
    const before = lock.holders.find((other) => isHold(other, { holder, mode }));
    const known = before && shownAt(before) < gapEndedAt ? undefined : before;
    return holderWith(known ?? newHolder(holder, mode, since), { holdCount }, values && { values }, kept);
  });
  const ids = new Set(holders.map((holder) => holder.id));
  const waited = lock.waiters.filter((waiter) => ids.has(waiter.id));
  const waiters = waited.reduce((left, { id }) => withoutQueued(left, id), lock.waiters);
  const holdersBeyond = found.length - holders.length;
  return lockWith(lock, end, { holders, holdersBeyond, waiters, certainty: event.certainty });
}

function leaseOf(lock: LockState, event: { leaseMs?: number; expiresAt?: RedisTime | null }) {
  const { expiresAt, neverEnds } = endOf(event);
  return { leaseMs: event.leaseMs ?? lock.leaseMs, expiresAt, neverEnds };
}

type LeaseEnd = Pick<LockState, 'expiresAt' | 'neverEnds'>;

const NO_END_KNOWN: LeaseEnd = { expiresAt: null, neverEnds: false };

/** The end of a lease as an event reports it. Null: it has no end; absent: the end is not known. */
function endOf({ expiresAt }: { readonly expiresAt?: RedisTime | null }): LeaseEnd {
  return expiresAt === undefined ? NO_END_KNOWN : { expiresAt, neverEnds: expiresAt === null };
}

/** The fencing token after an acquisition or re-entry; a partial release does not change it. */
function tokenOf(lock: LockState, event: { type: LockEvent['type']; fencingToken?: string }) {
  if (event.type === 'lock.partially-released') return undefined;
  return { fencingToken: event.fencingToken ?? (event.type === 'lock.acquired' ? null : lock.fencingToken) };
}
