import { assertNever } from '../base/assert-never.ts';
import { plusMillis, type RedisTime, redisTime } from '../base/time.ts';
import type { FoundHolder, LockEvent } from '../events/event.ts';
import type { HolderState, LockState, WaiterState } from './lock-state.ts';

const MOST_WAITERS = 10_000;

type Event<Type extends LockEvent['type']> = Extract<LockEvent, { type: Type }>;

/**
 * The lock after an event, given the lock before it (undefined: never heard of). Rules: `RULES.md`.
 *
 * The only way state comes about: live on the server, for any past instant, in the browser and in tests.
 */
export function reduceLock(before: LockState | undefined, event: LockEvent): LockState {
  const lock = before ?? emptyLock(event);
  const next = reduceDetail(lock, event);
  return {
    ...next,
    kind: event.kind === 'lock' ? lock.kind : event.kind,
    changedAt: redisTime(Math.max(event.at, lock.changedAt)),
    changedSeq: event.seq,
  };
}

function reduceDetail(lock: LockState, event: LockEvent): LockState {
  switch (event.type) {
    case 'lock.acquired':
      return acquired(lock, event);
    case 'lock.reentered':
    case 'lock.partially-released':
      return recounted(lock, event);
    case 'lock.refused':
      return refused(lock, event);
    case 'lock.released':
      return withoutHolder(lock, event.holder, event);
    case 'lease.expired': {
      const totals = { ...lock.totals, expiries: lock.totals.expiries + 1 };
      const after = event.holder === undefined ? freed(lock, event) : withoutHolder(lock, event.holder, event);
      return { ...after, totals };
    }
    case 'lock.force-released':
    case 'lock.deleted':
    case 'lock.evicted':
    case 'db.flushed':
      return freed(lock, event);
    case 'lease.renewed':
      return renewed(lock, event);
    case 'waiter.subscribed':
      return { ...lock, subscribers: event.subscribers, waiters: confirmed(lock.waiters, event.holder) };
    case 'waiter.unsubscribed':
      return { ...lock, subscribers: event.subscribers, waiters: withoutGone(lock.waiters, event.client) };
    case 'waiter.dequeued':
      return dequeued(lock, event);
    case 'lock.found':
      return replaced(lock, event.holders, event.expiresAt ?? null, event);
    case 'drift.healed':
      return event.found ? replaced(lock, event.found.holders, event.found.expiresAt, event) : freed(lock, event);
    case 'unlock.refused':
    case 'renewal.refused':
    case 'waiter.queued':
    case 'wakeup.published':
    case 'blind-spot.began':
    case 'blind-spot.ended':
      return lock;
    default:
      return assertNever(event);
  }
}

function emptyLock(event: LockEvent): LockState {
  return {
    source: event.source,
    db: event.db,
    name: event.lock,
    kind: event.kind,
    holders: [],
    waiters: [],
    subscribers: null,
    leaseMs: null,
    expiresAt: null,
    clientVersion: null,
    certainty: event.certainty,
    changedAt: event.at,
    changedSeq: event.seq,
    totals: { acquisitions: 0, refusals: 0, renewals: 0, expiries: 0 },
  };
}

function acquired(lock: LockState, event: Event<'lock.acquired' | 'lock.reentered'>): LockState {
  const holder: HolderState = {
    id: event.holder,
    mode: event.mode,
    since: event.at,
    holdCount: event.holdCount ?? null,
    renewals: 0,
    lastRenewedAt: null,
    leaseSetAt: event.at,
  };
  return {
    ...lock,
    holders: [...lock.holders.filter((other) => other.id !== event.holder), holder],
    waiters: lock.waiters.filter((waiter) => waiter.id !== event.holder),
    ...leaseOf(lock, event),
    clientVersion: event.clientVersion ?? lock.clientVersion,
    certainty: event.certainty,
    totals: { ...lock.totals, acquisitions: lock.totals.acquisitions + 1 },
  };
}

function recounted(
  lock: LockState,
  event: Event<'lock.acquired' | 'lock.reentered' | 'lock.partially-released'>,
): LockState {
  const known = lock.holders.find((holder) => holder.id === event.holder);
  const holder: HolderState = {
    ...(known ?? { id: event.holder, mode: event.mode, since: null, renewals: 0, lastRenewedAt: null }),
    holdCount: event.holdCount ?? null,
    leaseSetAt: event.at,
  };
  return {
    ...lock,
    holders: known ? lock.holders.map((other) => (other === known ? holder : other)) : [...lock.holders, holder],
    waiters: lock.waiters.filter((waiter) => waiter.id !== event.holder),
    ...leaseOf(lock, event),
    certainty: event.certainty,
  };
}

function refused(lock: LockState, event: Event<'lock.refused'>): LockState {
  const totals = { ...lock.totals, refusals: lock.totals.refusals + 1 };
  const others = lock.waiters.filter((waiter) => waiter.id !== event.holder);
  if (event.reason === 'error' || others.length >= MOST_WAITERS) return { ...lock, waiters: others, totals };
  const known = event.attempt > 1 ? lock.waiters.find((waiter) => waiter.id === event.holder) : undefined;
  const waiter: WaiterState = {
    id: event.holder,
    mode: event.mode,
    since: known?.since ?? event.at,
    attempts: event.attempt,
    isAsleep: event.asleep,
    isConfirmed: event.asleep || (known?.isConfirmed ?? false),
    deadline: event.ttlMs === null || event.ttlMs < 0 ? null : plusMillis(event.at, event.ttlMs),
    presumedGoneAt: null,
  };
  return {
    ...lock,
    waiters: known ? lock.waiters.map((w) => (w === known ? waiter : w)) : [...others, waiter],
    totals,
  };
}

function renewed(lock: LockState, event: Event<'lease.renewed'>): LockState {
  const lease = { ...lock, expiresAt: event.expiresAt ?? null, leaseMs: event.leaseMs ?? lock.leaseMs };
  const { holder: id } = event;
  if (event.cause === 'command' || id === undefined) return lease;
  const known = lock.holders.find((holder) => holder.id === id);
  const holder: HolderState = {
    ...(known ?? { id, mode: 'exclusive', since: null, holdCount: null, renewals: 0 }),
    renewals: (known?.renewals ?? 0) + 1,
    lastRenewedAt: event.at,
    leaseSetAt: event.at,
  };
  return {
    ...lease,
    holders: known ? lock.holders.map((other) => (other === known ? holder : other)) : [...lock.holders, holder],
    clientVersion: event.clientVersion ?? lock.clientVersion,
    certainty: event.certainty,
    totals: { ...lock.totals, renewals: lock.totals.renewals + 1 },
  };
}

function withoutHolder(lock: LockState, holder: string, event: LockEvent): LockState {
  const holders = lock.holders.filter((other) => other.id !== holder);
  if (holders.length === 0) return freed(lock, event);
  return { ...lock, holders, certainty: event.certainty };
}

function freed(lock: LockState, event: LockEvent): LockState {
  return { ...lock, holders: [], leaseMs: null, expiresAt: null, certainty: event.certainty };
}

function replaced(
  lock: LockState,
  found: readonly FoundHolder[],
  expiresAt: RedisTime | null,
  event: LockEvent,
): LockState {
  const holders = found.map(({ holder, holdCount, mode }): HolderState => {
    const known = lock.holders.find((other) => other.id === holder);
    const fresh = { id: holder, mode, since: null, renewals: 0, lastRenewedAt: null, leaseSetAt: null };
    return { ...(known ?? fresh), holdCount };
  });
  const ids = new Set(holders.map((holder) => holder.id));
  const waiters = lock.waiters.filter((waiter) => !ids.has(waiter.id));
  return { ...lock, holders, waiters, expiresAt, certainty: event.certainty };
}

function dequeued(lock: LockState, event: Event<'waiter.dequeued'>): LockState {
  if (event.reason !== 'presumed-gone') {
    return { ...lock, waiters: lock.waiters.filter((waiter) => waiter.id !== event.holder) };
  }
  const waiters = lock.waiters.map((waiter) =>
    waiter.id === event.holder ? { ...waiter, isAsleep: false, presumedGoneAt: event.at } : waiter,
  );
  return { ...lock, waiters };
}

function confirmed(waiters: readonly WaiterState[], holder: string | undefined): readonly WaiterState[] {
  return waiters.map((waiter) => (waiter.id === holder ? { ...waiter, isConfirmed: true } : waiter));
}

/** A client that stops listening has nobody left that waits. */
function withoutGone(waiters: readonly WaiterState[], client: string | undefined): readonly WaiterState[] {
  if (client === undefined) return waiters;
  return waiters.filter((waiter) => waiter.presumedGoneAt === null || !waiter.id.startsWith(`${client}:`));
}

function leaseOf(lock: LockState, event: { leaseMs?: number; expiresAt?: RedisTime }) {
  return { leaseMs: event.leaseMs ?? lock.leaseMs, expiresAt: event.expiresAt ?? null };
}
