import type { EventOf, EventType, LockEvent } from '../../events/event.ts';
import { countedBy, isCounterKind } from '../../events/kinds/kinds.ts';
import { countedUp, lockWith, newWaiter, waiterWith } from '../copies.ts';
import type { LockState, WaiterState } from '../lock-state.ts';
import { withBeyond } from '../permits-beyond.ts';
import type { Rules } from '../rule.ts';
import { oneFewerBeyond, withRoom } from './queue-rules.ts';

/** The count of a latch, and the waiters for a latch or a permit. */
export const COUNTER_RULES: Rules<
  'permits.refused' | 'latch.set' | 'latch.counted-down' | 'latch.opened' | 'latch.deleted'
> = {
  'permits.refused': refused,
  'latch.set': (lock, event) => lockWith(lock, { latch: { count: event.count }, certainty: event.certainty }),
  'latch.counted-down': countedDown,
  'latch.opened': (lock, event) => lockWith(lock, { latch: { count: 0 }, certainty: event.certainty }),
  'latch.deleted': (lock, event) => lockWith(lock, { latch: null, certainty: event.certainty }),
};

/** Rules of semaphores and latches for events that other locks have as well. */
const OWN_RULES: { readonly [Each in EventType]?: (lock: LockState, event: LockEvent) => LockState } = {
  'waiter.subscribed': (lock, event) => (event.type === 'waiter.subscribed' ? listening(lock, event) : lock),
  'waiter.unsubscribed': (lock, event) => (event.type === 'waiter.unsubscribed' ? listensNoLonger(lock, event) : lock),
  'drift.healed': (lock, event) => (event.type === 'drift.healed' ? healed(lock, event) : lock),
  'lock.deleted': gone,
  'lock.evicted': gone,
  'lock.moved': gone,
  'db.flushed': gone,
  'lease.expired': gone,
};

/** The rule for an event of a semaphore or latch; undefined if the rule for locks applies. */
export function ruleOfCounter(event: LockEvent): ((lock: LockState, event: LockEvent) => LockState) | undefined {
  return isCounterKind(event.kind) ? OWN_RULES[event.type] : undefined;
}

function refused(before: LockState, event: EventOf<'permits.refused'>): LockState {
  const lock = withBeyond(before, event);
  const totals = countedUp(lock.totals, 'refusals');
  const { available, total } = event;
  const permits = available === undefined ? lock.permits : { available, total: total ?? null };
  const { holder: id } = event;
  if (id === undefined) return lockWith(lock, { permits, totals });
  const known = lock.waiters.find((waiter) => waiter.id === id);
  // the client listens, but its SUBSCRIBE was not seen, so it may have waited before
  const older = !known && event.asleep ? ({ isOlder: true } as const) : undefined;
  const waiter = known?.isConfirmed ? known : waiterWith(newWaiter(id, 'permit', event.at), older);
  const others = withRoom(lock.waiters.filter((each) => each !== known));
  if (!others) return lockWith(lock, { permits, totals });
  return lockWith(lock, {
    permits,
    totals,
    waiters: [...others, waiterWith(waiter, { attempts: waiter.attempts + 1, asks: asksOf(known, event) })],
  });
}

/**
 * The threads of one client are one waiter. It asks for the highest number of permits that one of its threads asked
 * for: with fewer, that thread still waits.
 */
function asksOf(known: WaiterState | undefined, { permits, at }: EventOf<'permits.refused'>): WaiterState['asks'] {
  return { permits: Math.max(permits, known?.asks?.permits ?? 0), at };
}

/** A client that listens is a waiter: since its last refusal, otherwise from now on. */
function listening(lock: LockState, event: EventOf<'waiter.subscribed'>): LockState {
  const { holder: id, subscribers } = event;
  if (id === undefined) return lockWith(lock, { subscribers });
  const mode = countedBy(event.kind) ?? 'permit';
  const known = lock.waiters.find((waiter) => waiter.id === id);
  const waiter = waiterWith(known ?? newWaiter(id, mode, event.at), { isConfirmed: true, isAsleep: true });
  const others = withRoom(lock.waiters.filter((each) => each !== known));
  if (!others) return lockWith(lock, { subscribers, waitersBeyond: lock.waitersBeyond + 1 });
  return lockWith(lock, { subscribers, waiters: [...others, waiter] });
}

function listensNoLonger(before: LockState, event: EventOf<'waiter.unsubscribed'>): LockState {
  const { subscribers, holder } = event;
  if (subscribers === 0) return lockWith(before, { subscribers, waiters: [], waitersBeyond: 0 });
  const isListed = before.waiters.some(({ id }) => id === holder);
  const lock = isListed || holder === undefined ? before : oneFewerBeyond(before);
  return lockWith(lock, { subscribers, waiters: lock.waiters.filter(({ id }) => id !== holder) });
}

function countedDown(lock: LockState, { count, certainty }: EventOf<'latch.counted-down'>): LockState {
  return lockWith(lock, { latch: count === undefined ? lock.latch : { count }, certainty });
}

function healed(lock: LockState, { found, kind, certainty }: EventOf<'drift.healed'>): LockState {
  const value = found?.value;
  if (countedBy(kind) === 'latch')
    return lockWith(lock, { latch: value === undefined ? null : { count: value }, certainty });
  const total = lock.permits?.total ?? null;
  const permits =
    value === undefined ? null : { available: value, total: total === null ? null : Math.max(total, value) };
  const out = value === undefined || value === total ? { holders: [], holdersBeyond: 0 } : undefined;
  return lockWith(lock, out, { permits, certainty });
}

/** The key of the semaphore or latch is gone, and all permits with it. */
function gone(lock: LockState, event: LockEvent): LockState {
  const none = { holders: [], holdersBeyond: 0, permits: null, latch: null, expiresAt: null };
  return lockWith(lock, none, {
    raised: undefined,
    beyond: undefined,
    totalSetAt: undefined,
    certainty: event.certainty,
  });
}
