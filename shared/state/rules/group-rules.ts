import type { LockEvent } from '../../events/event.ts';
import { holderWith, lockWith, waiterWith } from '../copies.ts';
import type { HolderState, LockState, WaiterState } from '../lock-state.ts';

/** Puts the hold or wait of the event's holder into the event's group, if it has one. */
export function withGroupOf(lock: LockState, event: LockEvent): LockState {
  const { group } = event;
  const holder = 'holder' in event ? event.holder : undefined;
  if (group === undefined || holder === undefined) return lock;
  return withRounds(regroupedLock(lock, holder, group), holder, event);
}

/** Notes that the operation of a waiter released what it held, and began again. */
function withRounds(lock: LockState, id: string, { groupRound: round, groupSince: since }: LockEvent): LockState {
  if (round === undefined || since === undefined) return lock;
  const isNew = (waiter: WaiterState) => waiter.id === id && waiter.rounds?.round !== round;
  if (!lock.waiters.some(isNew)) return lock;
  const waiters = lock.waiters.map((waiter) =>
    isNew(waiter) ? waiterWith(waiter, { rounds: { round, since } }) : waiter,
  );
  return lockWith(lock, { waiters });
}

/** Adds the hold or wait of a thread to a group, or removes it from its group if `group` is undefined. */
export function regroupedLock(lock: LockState, id: string, group: string | undefined): LockState {
  const isOther = (person: HolderState | WaiterState) => person.id === id && person.group !== group;
  if (!lock.holders.some(isOther) && !lock.waiters.some(isOther)) return lock;
  return lockWith(lock, {
    holders: lock.holders.map((holder) => (isOther(holder) ? holderWith(holder, { group }) : holder)),
    waiters: lock.waiters.map((waiter) =>
      isOther(waiter) ? waiterWith(waiter, { group, rounds: undefined }) : waiter,
    ),
  });
}
