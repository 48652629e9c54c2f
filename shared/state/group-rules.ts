import type { LockEvent } from '../events/event.ts';
import type { LockState, WaiterState } from './lock-state.ts';

/** Puts the hold or wait of the event's holder into the event's group, if it has one. */
export function withGroupOf(lock: LockState, event: LockEvent): LockState {
  const { group } = event;
  const holder = 'holder' in event ? event.holder : undefined;
  if (group === undefined || holder === undefined) return lock;
  return withRounds(regroupedLock(lock, holder, group), holder, event);
}

/** Notes that the operation of a waiter released what it had, and began again. */
function withRounds(lock: LockState, id: string, { groupRound: round, groupSince: since }: LockEvent): LockState {
  if (round === undefined || since === undefined) return lock;
  const isNew = (waiter: WaiterState) => waiter.id === id && waiter.rounds?.round !== round;
  if (!lock.waiters.some(isNew)) return lock;
  const waiters = lock.waiters.map((waiter) => (isNew(waiter) ? { ...waiter, rounds: { round, since } } : waiter));
  return { ...lock, waiters };
}

/** Puts an earlier hold or wait into a group, or takes it out if `group` is undefined. */
export function regroupedLock(lock: LockState, holder: string, group: string | undefined): LockState {
  const holders = regroupedPeople(lock.holders, holder, group);
  const waiters = regroupedPeople(lock.waiters, holder, group);
  return holders === lock.holders && waiters === lock.waiters ? lock : { ...lock, holders, waiters };
}

function regroupedPeople<Person extends { readonly id: string; readonly group?: string; readonly rounds?: unknown }>(
  people: readonly Person[],
  id: string,
  group: string | undefined,
): readonly Person[] {
  if (!people.some((person) => person.id === id && person.group !== group)) return people;
  return people.map((person) => {
    if (person.id !== id || person.group === group) return person;
    const { group: _group, rounds: _rounds, ...alone } = person;
    return (group === undefined ? alone : { ...alone, group }) as Person; // both fields are optional in both types
  });
}
