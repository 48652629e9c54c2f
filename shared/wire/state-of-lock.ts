import { type RedisTime, redisTime } from '../base/time.ts';
import { KINDS } from '../events/kinds/kinds.ts';
import type { HeldValue, HoldMode } from '../events/types/hold-event.ts';
import type { Handovers, LockState } from '../state/lock-state.ts';
import { reduceLock } from '../state/reduce.ts';
import type { Lock } from './lock.ts';

/** The state behind a view. Fields that a view does not show get default values. */
export function stateOf(lock: Lock): LockState {
  const { source, db, name, kind, certainty, fencingToken = null, clientVersion = null } = lock;
  const at = redisTime(lock.changedAt);
  const found = { type: 'lock.found', seq: 0, at, source, db, lock: name, kind, certainty, holders: [] } as const;
  return {
    ...reduceLock(undefined, found),
    holders: lock.holders.map((holder) => ({
      id: holder.id,
      mode: holder.mode as HoldMode, // the reducer only copies a mode that it does not know
      since: timeOf(holder.since),
      holdCount: holder.holdCount,
      renewals: holder.renewals,
      lastRenewedAt: timeOf(holder.lastRenewedAt),
      leaseSetAt: timeOf(holder.lastRenewedAt ?? holder.since),
      ...(holder.timeouts === undefined ? undefined : { timeouts: holder.timeouts.map(timeOf) }),
      ...(KINDS[kind].hasPermitIds ? { client: holder.client, expiresAt: timeOf(holder.expiresAt) } : undefined),
      ...(holder.values === undefined ? undefined : { values: holder.values.map(heldValue) }),
      ...(holder.group === undefined ? undefined : { group: holder.group }),
      ...(holder.firstSeenAt === undefined ? undefined : { firstAt: redisTime(holder.firstSeenAt) }),
      letter: holder.letter,
    })),
    holdersBeyond: lock.moreHolders ?? 0,
    believers: (lock.believers ?? []).map(({ id, letter, mode, since, lostAt, until }) => ({
      id,
      letter,
      mode: mode as HoldMode, // as above
      since: timeOf(since),
      lostAt: redisTime(lostAt),
      until: timeOf(until),
    })),
    waiters: lock.waiters.map((waiter) => ({
      id: waiter.id,
      mode: waiter.mode as HoldMode, // as above
      since: redisTime(waiter.since),
      attempts: waiter.attempts,
      isAsleep: waiter.asleep,
      isConfirmed: true,
      position: waiter.position,
      deadline: timeOf(waiter.deadline),
      presumedGoneAt: waiter.presumedGone ? redisTime(lock.changedAt) : null,
      ...(waiter.group === undefined ? undefined : { group: waiter.group }),
      letter: waiter.letter,
    })),
    waitersBeyond: lock.moreWaiters ?? 0,
    subscribers: lock.subscribers,
    leaseMs: lock.lease.ms,
    expiresAt: timeOf(lock.lease.expiresAt),
    neverEnds: lock.lease.neverEnds === true,
    permits: lock.permits ?? null,
    latch: lock.latch ?? null,
    clientVersion,
    fencingToken,
    isKindKnown: lock.kindKnown !== false,
    ...(lock.evidence && { evidence: lock.evidence }),
    ...(lock.handovers && { handovers: handoversOf(lock.handovers) }),
  };
}

function heldValue({ value, holdCount, expiresAt }: NonNullable<Lock['holders'][number]['values']>[number]): HeldValue {
  return { value, holdCount, expiresAt: timeOf(expiresAt) };
}

function handoversOf({ perSecond, since, at }: NonNullable<Lock['handovers']>): Handovers {
  return { perSecond, since: redisTime(since), at: redisTime(at) };
}

function timeOf(micros: number | null): RedisTime | null {
  return micros === null ? null : redisTime(micros);
}
