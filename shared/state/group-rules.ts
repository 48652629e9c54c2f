import type { LockEvent } from '../events/event.ts';
import type { LockState } from './lock-state.ts';

/** The lock with the group that an event says its holder's hold, or wait, is of. */
export function withGroupOf(lock: LockState, event: LockEvent): LockState {
  const { group } = event;
  const holder = 'holder' in event ? event.holder : undefined;
  return group === undefined || holder === undefined ? lock : regroupedLock(lock, holder, group);
}

/** The lock after a hold or wait that began earlier turned out to be of a group, or of none. */
export function regroupedLock(lock: LockState, holder: string, group: string | undefined): LockState {
  const holders = regroupedPeople(lock.holders, holder, group);
  const waiters = regroupedPeople(lock.waiters, holder, group);
  return holders === lock.holders && waiters === lock.waiters ? lock : { ...lock, holders, waiters };
}

function regroupedPeople<Person extends { readonly id: string; readonly group?: string }>(
  people: readonly Person[],
  id: string,
  group: string | undefined,
): readonly Person[] {
  if (!people.some((person) => person.id === id && person.group !== group)) return people;
  return people.map((person) => {
    if (person.id !== id || person.group === group) return person;
    const { group: _group, ...alone } = person;
    return (group === undefined ? alone : { ...person, group }) as Person; // a group is optional in either
  });
}
