import { type Millis, plusMillis } from '../../base/time.ts';
import type { EventOf } from '../../events/event.ts';
import { lockWith, newWaiter, waiterWith } from '../copies.ts';
import { type LockState, MOST_WAITERS, type WaiterState } from '../lock-state.ts';
import { evictionBy, withUndated } from '../notes/fair-notes.ts';
import type { Rules } from '../rule.ts';

/** The queue of a fair lock: positions and deadlines. */
export const QUEUE_RULES: Rules<'waiter.queued' | 'waiter.dequeued'> = {
  'waiter.queued': queued,
  'waiter.dequeued': dequeued,
};

/**
 * Returns the waiters without `holder`. Those behind it in the queue move up, and their deadlines move by `shiftMs`, 0
 * if that is not known. `isShiftOfAll`: the deadlines of all waiters move.
 *
 *   position   1 A   2 B   3 C   4 D      B leaves, deadlines move by -5 s
 *              1 A         2 C   3 D      C and D move up; an acquisition moves the deadline of A too
 */
export function withoutQueued(
  waiters: readonly WaiterState[],
  holder: string,
  { shiftMs = 0, isShiftOfAll = false }: { shiftMs?: Millis; isShiftOfAll?: boolean } = {},
): readonly WaiterState[] {
  const left = waiters.find((waiter) => waiter.id === holder);
  if (!left && shiftMs === 0) return waiters;
  const place = left?.position ?? null;
  const others = left ? waiters.filter((waiter) => waiter !== left) : waiters;
  if (place === null && shiftMs === 0) return others;
  return others.map((waiter) => {
    if (waiter.position === null) return waiter;
    const isBehind = place !== null && waiter.position > place;
    const isShifted = shiftMs !== 0 && waiter.deadline !== null && (isBehind || isShiftOfAll);
    if (!isBehind && !isShifted) return waiter;
    return waiterWith(waiter, {
      position: isBehind ? waiter.position - 1 : waiter.position,
      deadline: isShifted && waiter.deadline !== null ? plusMillis(waiter.deadline, shiftMs) : waiter.deadline,
    });
  });
}

function queued(lock: LockState, event: EventOf<'waiter.queued'>): LockState {
  const { holder, position, deadline, queueLength } = event;
  const known = lock.waiters.find((waiter) => waiter.id === holder);
  if (!known && lock.holders.some(({ id }) => id === holder)) return lock;
  const others = known || isAfterOthers(lock, position) ? undefined : withRoom(lock.waiters);
  if (!known && !others) return withLength(lockWith(lock, { waitersBeyond: lock.waitersBeyond + 1 }), queueLength);
  const waiter = withUndated(
    waiterWith(known ?? newWaiter(holder, 'exclusive', event.at), { isConfirmed: true, position, deadline }),
    event,
  );
  const waiters = others ? [...others, waiter] : lock.waiters.map((each) => (each === known ? waiter : each));
  return withLength(lockWith(lock, { waiters }), queueLength);
}

/** Whether waiters that are only counted are before this position: the list would then skip their positions. */
function isAfterOthers({ waiters, waitersBeyond }: LockState, position: number): boolean {
  return waitersBeyond > 0 && position > waiters.length + 1;
}

/** Takes the length of the queue from a read. Waiters of the queue that are not listed are counted. */
function withLength(lock: LockState, queueLength: number | undefined): LockState {
  if (queueLength === undefined) return lock;
  const listed = lock.waiters.filter(({ position }) => position !== null).length;
  return lockWith(lock, { waitersBeyond: Math.max(0, queueLength - listed) });
}

function dequeued(before: LockState, event: EventOf<'waiter.dequeued'>): LockState {
  const lock = event.queueLength === 0 ? lockWith(before, { waitersBeyond: 0 }) : before;
  const waiter = lock.waiters.find(({ id }) => id === event.holder);
  if (!waiter) return oneFewerBeyond(lock);
  const shift = { shiftMs: event.shiftMs ?? 0 };
  switch (event.reason) {
    case 'presumed-gone':
      return withWaiter(lock, waiter, presumedGone(waiter, event));
    case 'evicted':
    case 'deleted': {
      const waiters = withoutQueued(lock.waiters, event.holder, shift);
      // a waiter that is not presumed gone still waits, and may join the queue again
      if (waiter.presumedGoneAt !== null) return lockWith(lock, { waiters });
      const evicted = event.reason === 'evicted' ? { evicted: evictionBy(event) } : undefined;
      return lockWith(lock, { waiters: [...waiters, waiterWith(waiter, { position: null, deadline: null }, evicted)] });
    }
    default:
      return lockWith(lock, { waiters: withoutQueued(lock.waiters, event.holder, shift) });
  }
}

/**
 * Returns the waiters if there is room for one more. If the list is full, returns it without the first unconfirmed
 * waiter, or undefined if there is none.
 */
export function withRoom(waiters: readonly WaiterState[]): readonly WaiterState[] | undefined {
  if (waiters.length < MOST_WAITERS) return waiters;
  const tried = waiters.find(({ isConfirmed }) => !isConfirmed);
  return tried && waiters.filter((waiter) => waiter !== tried);
}

/** Subtracts one from the waiters that are only counted. */
export function oneFewerBeyond(lock: LockState): LockState {
  return lock.waitersBeyond === 0 ? lock : lockWith(lock, { waitersBeyond: lock.waitersBeyond - 1 });
}

function presumedGone(waiter: WaiterState, { at, hasGoneOn }: EventOf<'waiter.dequeued'>): WaiterState {
  return waiterWith(waiter, { isAsleep: false, presumedGoneAt: at }, hasGoneOn && { hasGoneOn });
}

function withWaiter(lock: LockState, before: WaiterState, after: WaiterState): LockState {
  return lockWith(lock, { waiters: lock.waiters.map((waiter) => (waiter === before ? after : waiter)) });
}
