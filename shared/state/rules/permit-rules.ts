import type { EventOf } from '../../events/event.ts';
import { countedUp, holderWith, lockWith, newHolder } from '../copies.ts';
import { type HolderState, type LockState, MOST_HOLDERS } from '../lock-state.ts';
import { withBeyond } from '../permits-beyond.ts';
import type { Rules } from '../rule.ts';

type PermitEvents = 'permits.set' | 'permits.acquired' | 'permits.released' | 'permits.expired' | 'permits.renewed';

/** The free permits of a semaphore, and the holders of its other permits. */
export const PERMIT_RULES: Rules<PermitEvents> = {
  'permits.set': set,
  'permits.acquired': taken,
  'permits.released': (lock, event) =>
    refilled(withBeyond(withRaised(withPermitsBack(lock, event, event.holder), event), event), event),
  'permits.expired': (lock, event) =>
    refilled(withBeyond(expired(withPermitsBack(lock, event, undefined)), event), event),
  'permits.renewed': (lock, event) => withBeyond(renewed(lock, event), event),
};

type PermitEvent = EventOf<'permits.set' | 'permits.acquired' | 'permits.released' | 'permits.expired'>;

/** The holders of permits that are listed, and the number of permits that other holders have. */
type PermitHolders = Pick<LockState, 'holders' | 'holdersBeyond'>;

const NO_CLIENT: PermitHolders = { holders: [], holdersBeyond: 0 };

/** Sets the number of permits. Releases beyond the acquired permits are counted again from here on. */
function set(before: LockState, event: EventOf<'permits.set'>): LockState {
  const lock = lockWith(before, { raised: undefined, beyond: undefined, totalSetAt: undefined });
  const after = counted(lock, event, foundIn(lock, event));
  if (event.isFound) return after;
  return lockWith(after, { totalSetAt: event.changedBy === undefined ? event.at : before.totalSetAt });
}

function refilled(lock: LockState, { at, seq }: EventOf<'permits.released' | 'permits.expired'>): LockState {
  if (lock.waiters.length === 0) return lock.refilled === undefined ? lock : lockWith(lock, { refilled: undefined });
  return lockWith(lock, { refilled: { at, seq } });
}

/** Notes that more permits were released than acquired. */
function withRaised(lock: LockState, { at, seq, holder, raisedBy, total }: EventOf<'permits.released'>): LockState {
  if (raisedBy === undefined || total === undefined) return lock;
  const first = lock.raised ?? { since: at, seq, permits: 0, before: total - raisedBy };
  return lockWith(lock, { raised: { ...first, at, by: holder ?? null, permits: first.permits + raisedBy } });
}

/** Permits that a read found. Those that were not known yet were acquired while nothing was seen. */
function foundIn(lock: LockState, { deadlines = [], available, total }: EventOf<'permits.set'>): PermitHolders {
  const known = new Map(lock.holders.map((holder) => [holder.id, holder]));
  const holders = deadlines.slice(0, MOST_HOLDERS).map(({ id, expiresAt }) => {
    const holder = known.get(id) ?? holderWith(newHolder(id, 'permit'), { holdCount: 1 });
    return holderWith(holder, { client: holder.client ?? '', expiresAt });
  });
  // a read returns only a limited number of ids, so the numbers may show more permits that are out
  const out = deadlines.length > 0 && available !== undefined && total !== undefined ? total - available : 0;
  return { holders, holdersBeyond: Math.max(0, Math.max(out, deadlines.length) - holders.length) };
}

/** Sets the numbers that an event reports. When all permits are back, there are no holders. */
function counted(lock: LockState, event: PermitEvent, out: PermitHolders): LockState {
  const { available, total } = event;
  const permits = available === undefined ? lock.permits : { available, total: total ?? null };
  const isAllBack = available !== undefined && available === total;
  const isNew = event.type === 'permits.set' && event.changedBy === undefined;
  const kept = event.type === 'permits.set' && !isNew ? lock : out;
  const { holders, holdersBeyond } = isAllBack ? NO_CLIENT : kept;
  return lockWith(lock, { permits, holders, holdersBeyond, certainty: event.certainty });
}

function taken(lock: LockState, event: EventOf<'permits.acquired'>): LockState {
  const { holder: taker } = event;
  const waiters = lock.waiters.filter(({ id, isConfirmed }) => id !== taker || isConfirmed);
  const totals = countedUp(lock.totals, 'acquisitions');
  return withBeyond(lockWith(counted(lock, event, withTaken(lock, event)), { waiters, totals }), event);
}

/** Each permit with an id is one hold. Permits without ids are counted per holder that took them. */
function withTaken(lock: LockState, event: EventOf<'permits.acquired'>): PermitHolders {
  const { holder: taker, permitIds, permits = 0, at } = event;
  const fresh = { mode: 'permit', since: at, renewals: 0, lastRenewedAt: null, leaseSetAt: at } as const;
  if (permitIds) {
    const client = taker === undefined ? undefined : { client: taker };
    const expiresAt = event.expiresAt ?? null;
    const others = lock.holders.filter(({ id }) => !permitIds.includes(id));
    const all = permitIds.map((id): HolderState => ({ id, ...fresh, ...client, holdCount: 1, expiresAt }));
    const listed = all.slice(0, Math.max(0, MOST_HOLDERS - others.length));
    return { holders: [...others, ...listed], holdersBeyond: lock.holdersBeyond + all.length - listed.length };
  }
  if (taker === undefined || permits === 0) return lock;
  const known = lock.holders.find(({ id }) => id === taker);
  if (!known && lock.holders.length >= MOST_HOLDERS) {
    return { holders: lock.holders, holdersBeyond: lock.holdersBeyond + permits };
  }
  const uuid = known && known.uuid !== event.client ? undefined : event.client;
  const hold = known ?? { id: taker, ...fresh, holdCount: 0 };
  const holder = holderWith(hold, { holdCount: (hold.holdCount ?? 0) + permits, uuid });
  return {
    holders: [...lock.holders.filter((other) => other !== known), holder],
    holdersBeyond: lock.holdersBeyond,
  };
}

/**
 * Permits have no owner, so any client may release a permit that another took. A release returns the caller's own
 * permits first, then the oldest.
 *
 *   taken by   A 2, B 1      C releases 1      A 1, B 1
 */
function withPermitsBack(
  lock: LockState,
  event: PermitEvent & { permits?: number },
  caller: string | undefined,
): LockState {
  const { permitIds, permits = 0 } = event;
  if (permitIds) {
    const holders = lock.holders.filter(({ id }) => !permitIds.includes(id));
    const unlisted = permitIds.length - (lock.holders.length - holders.length);
    return counted(lock, event, { holders, holdersBeyond: Math.max(0, lock.holdersBeyond - unlisted) });
  }
  const own = lock.holders.filter(({ id }) => id === caller);
  // a caller that is not listed acquired some of the permits that are only counted
  const ofOthers = own.length === 0 ? Math.min(permits, lock.holdersBeyond) : 0;
  let left = permits - ofOthers;
  const counts = new Map<HolderState, number>();
  for (const holder of [...own, ...lock.holders.filter(({ id }) => id !== caller)]) {
    const part = Math.min(left, holder.holdCount ?? 1);
    counts.set(holder, (holder.holdCount ?? 1) - part);
    left -= part;
  }
  const holders = lock.holders.map((holder) =>
    holderWith(holder, { holdCount: counts.get(holder) ?? holder.holdCount }),
  );
  return counted(lock, event, {
    holders: holders.filter(({ holdCount }) => holdCount !== 0),
    holdersBeyond: Math.max(0, lock.holdersBeyond - ofOthers - left),
  });
}

function expired(lock: LockState): LockState {
  return lockWith(lock, { totals: countedUp(lock.totals, 'expiries') });
}

function renewed(lock: LockState, event: EventOf<'permits.renewed'>): LockState {
  const holders = lock.holders.map((holder) =>
    event.permitIds.includes(holder.id)
      ? holderWith(holder, { expiresAt: event.expiresAt, renewals: holder.renewals + 1, lastRenewedAt: event.at })
      : holder,
  );
  const { available, total = null } = event;
  const permits = available === undefined ? lock.permits : { available, total };
  return lockWith(lock, { holders, permits, totals: countedUp(lock.totals, 'renewals') });
}
