import type { EventType, LockEvent } from '../events/event.ts';
import type { HolderState, LockState, WaiterState } from './lock-state.ts';
import type { EventOf, Rules } from './rules.ts';

type CounterEvents =
  | 'permits.set'
  | 'permits.acquired'
  | 'permits.refused'
  | 'permits.released'
  | 'permits.expired'
  | 'permits.renewed'
  | 'latch.set'
  | 'latch.counted-down'
  | 'latch.opened'
  | 'latch.deleted';

/** How many permits of a semaphore are out, and how far a latch has counted. */
export const COUNTER_RULES: Rules<CounterEvents> = {
  'permits.set': (lock, event) => counted(lock, event, foundIn(event)),
  'permits.acquired': taken,
  'permits.refused': refused,
  'permits.released': (lock, event) => givenBack(lock, event, event.holder),
  'permits.expired': (lock, event) => expired(givenBack(lock, event, undefined)),
  'permits.renewed': renewed,
  'latch.set': (lock, event) => ({ ...lock, latch: { count: event.count }, certainty: event.certainty }),
  'latch.counted-down': countedDown,
  'latch.opened': (lock, event) => ({ ...lock, latch: { count: 0 }, certainty: event.certainty }),
  'latch.deleted': (lock, event) => ({ ...lock, latch: null, certainty: event.certainty }),
};

/** Events whose rule is another for what is a number in Redis. */
const OTHERS: { readonly [Each in EventType]?: (lock: LockState, event: LockEvent) => LockState } = {
  'waiter.subscribed': (lock, event) => (event.type === 'waiter.subscribed' ? listening(lock, event) : lock),
  'waiter.unsubscribed': (lock, event) => (event.type === 'waiter.unsubscribed' ? listensNoMore(lock, event) : lock),
  'drift.healed': (lock, event) => (event.type === 'drift.healed' ? healed(lock, event) : lock),
  'lock.deleted': gone,
  'lock.evicted': gone,
  'db.flushed': gone,
  'lease.expired': gone,
};

/** The rule of an event about a semaphore or latch, where it is another than that of a lock. */
export function ruleOfCounter(event: LockEvent): ((lock: LockState, event: LockEvent) => LockState) | undefined {
  return event.kind === 'semaphore' || event.kind === 'expirable-semaphore' || event.kind === 'latch'
    ? OTHERS[event.type]
    : undefined;
}

type OfPermits = EventOf<'permits.set' | 'permits.acquired' | 'permits.released' | 'permits.expired'>;

/** Permits that were out before anybody watched. */
function foundIn({ deadlines = [] }: EventOf<'permits.set'>): readonly HolderState[] {
  const fresh = {
    mode: 'permit',
    since: null,
    holdCount: 1,
    renewals: 0,
    lastRenewedAt: null,
    leaseSetAt: null,
  } as const;
  return deadlines.map(({ id, expiresAt }) => ({ ...fresh, id, client: '', expiresAt }));
}

/** The numbers after an event. Who has nothing left stands there no more. */
function counted(lock: LockState, event: OfPermits, holders: readonly HolderState[]): LockState {
  const { available, total } = event;
  const permits = available === undefined ? lock.permits : { available, total: total ?? null };
  const isAllBack = available !== undefined && available === total;
  const isNew = event.type === 'permits.set' && event.changedBy === undefined;
  const kept = event.type === 'permits.set' && !isNew ? lock.holders : holders;
  return { ...lock, permits, holders: isAllBack ? [] : kept, certainty: event.certainty };
}

function taken(lock: LockState, event: EventOf<'permits.acquired'>): LockState {
  const { holder: taker, permitIds, permits = 0, at } = event;
  const fresh = { mode: 'permit', since: at, renewals: 0, lastRenewedAt: null, leaseSetAt: at } as const;
  const client = taker === undefined ? undefined : { client: taker };
  let holders = lock.holders;
  if (permitIds) {
    const ends = event.expiresAt ?? null;
    const taken = permitIds.map((id): HolderState => ({ ...fresh, id, ...client, holdCount: 1, expiresAt: ends }));
    holders = [...lock.holders.filter(({ id }) => !permitIds.includes(id)), ...taken];
  } else if (taker !== undefined && permits > 0) {
    const known = lock.holders.find(({ id }) => id === taker);
    const holder: HolderState = { ...(known ?? { ...fresh, id: taker }), holdCount: (known?.holdCount ?? 0) + permits };
    holders = [...lock.holders.filter((other) => other !== known), holder];
  }
  const waiters = lock.waiters.filter(({ id, isConfirmed }) => id !== taker || isConfirmed);
  const totals = { ...lock.totals, acquisitions: lock.totals.acquisitions + 1 };
  return { ...counted(lock, event, holders), waiters, totals };
}

/**
 * Permits have no owner, so anybody may give back what another took: first the giver's own, then the oldest.
 *
 *   taken by   A 2, B 1      C gives 1      A 1, B 1
 */
function givenBack(lock: LockState, event: OfPermits & { permits?: number }, giver: string | undefined): LockState {
  const { permitIds, permits = 0 } = event;
  if (permitIds)
    return counted(
      lock,
      event,
      lock.holders.filter(({ id }) => !permitIds.includes(id)),
    );
  let left = permits;
  const own = lock.holders.filter(({ id }) => id === giver);
  const counts = new Map<HolderState, number>();
  for (const holder of [...own, ...lock.holders.filter(({ id }) => id !== giver)]) {
    const part = Math.min(left, holder.holdCount ?? 1);
    counts.set(holder, (holder.holdCount ?? 1) - part);
    left -= part;
  }
  const holders = lock.holders.map((holder) => ({ ...holder, holdCount: counts.get(holder) ?? holder.holdCount }));
  return counted(
    lock,
    event,
    holders.filter(({ holdCount }) => holdCount !== 0),
  );
}

function expired(lock: LockState): LockState {
  return { ...lock, totals: { ...lock.totals, expiries: lock.totals.expiries + 1 } };
}

function renewed(lock: LockState, event: EventOf<'permits.renewed'>): LockState {
  const holders = lock.holders.map((holder) =>
    event.permitIds.includes(holder.id)
      ? { ...holder, expiresAt: event.expiresAt, renewals: holder.renewals + 1, lastRenewedAt: event.at }
      : holder,
  );
  return { ...lock, holders, totals: { ...lock.totals, renewals: lock.totals.renewals + 1 } };
}

function refused(lock: LockState, event: EventOf<'permits.refused'>): LockState {
  const totals = { ...lock.totals, refusals: lock.totals.refusals + 1 };
  const { available, total } = event;
  const permits = available === undefined ? lock.permits : { available, total: total ?? null };
  const { holder: id } = event;
  if (id === undefined) return { ...lock, permits, totals };
  const known = lock.waiters.find((waiter) => waiter.id === id);
  const waiter = waiterOf(id, 'permit', event, known?.isConfirmed ? known : undefined);
  const others = lock.waiters.filter((each) => each !== known);
  return { ...lock, permits, totals, waiters: [...others, { ...waiter, attempts: waiter.attempts + 1 }] };
}

function waiterOf(id: string, mode: 'permit' | 'latch', { at }: LockEvent, known?: WaiterState): WaiterState {
  const fresh = { since: at, attempts: 0, isAsleep: false, isConfirmed: false };
  const none = { position: null, deadline: null, presumedGoneAt: null };
  return known ?? { id, mode, ...fresh, ...none };
}

/** Who listens waits: since it was refused, if it was. */
function listening(lock: LockState, event: EventOf<'waiter.subscribed'>): LockState {
  const { holder: id, subscribers } = event;
  if (id === undefined) return { ...lock, subscribers };
  const mode = event.kind === 'latch' ? 'latch' : 'permit';
  const known = lock.waiters.find((waiter) => waiter.id === id);
  const waiter = { ...waiterOf(id, mode, event, known), isConfirmed: true, isAsleep: true };
  return { ...lock, subscribers, waiters: [...lock.waiters.filter((each) => each !== known), waiter] };
}

function listensNoMore(lock: LockState, event: EventOf<'waiter.unsubscribed'>): LockState {
  const waiters = event.subscribers === 0 ? [] : lock.waiters.filter(({ id }) => id !== event.holder);
  return { ...lock, subscribers: event.subscribers, waiters };
}

function countedDown(lock: LockState, { count, certainty }: EventOf<'latch.counted-down'>): LockState {
  return { ...lock, latch: count === undefined ? lock.latch : { count }, certainty };
}

function healed(lock: LockState, { found, kind, certainty }: EventOf<'drift.healed'>): LockState {
  const value = found?.value;
  if (kind === 'latch') return { ...lock, latch: value === undefined ? null : { count: value }, certainty };
  const total = lock.permits?.total ?? null;
  const permits =
    value === undefined ? null : { available: value, total: total === null ? null : Math.max(total, value) };
  return { ...lock, permits, holders: value === undefined || value === total ? [] : lock.holders, certainty };
}

/** The number is gone, and with it every permit. */
function gone(lock: LockState, event: LockEvent): LockState {
  return { ...lock, permits: null, latch: null, holders: [], expiresAt: null, certainty: event.certainty };
}
