import type { LockEvent } from '../events/event.ts';
import type { LockState } from './lock-state.ts';

/** Puts the hold or wait of the event's holder into the event's group, if it has one. */
export function withGroupOf(lock: LockState, event: LockEvent): LockState {
  const { group } = event;
  const holder = 'holder' in event ? event.holder : undefined;
  return group === undefined || holder === undefined ? lock : regroupedLock(lock, holder, group);
}

/** Puts an earlier hold or wait into a group, or takes it out if `group` is undefined. */
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
    return (group === undefined ? alone : { ...person, group }) as Person; // `group` is optional in both types
  });
}
