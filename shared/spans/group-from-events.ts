import type { LockEvent } from '../events/event.ts';

/** The state of one lock of a multi lock or RedLock. `given-back`: rolled back. */
type MemberState = 'held' | 'waited-for' | 'refused' | 'given-back' | 'released' | 'never-held' | 'lost';

export type GroupMember = {
  readonly source: string;
  readonly db: number;
  readonly name: string;
  readonly state: MemberState;
};

/** A multi lock or RedLock, derived from its events. */
export type LockGroup = {
  readonly id: string;
  /** The members, in the order of their first events. */
  readonly members: readonly GroupMember[];
  /** All members have one name: it is a RedLock, for which more than half of the members are enough. */
  readonly isRedLock: boolean;
  /** The number of the current round, from 1. */
  readonly round: number;
  /** How the group ended; undefined: it has not ended. */
  readonly end: LockEvent['groupEnd'];
};

/** Returns a group from events in order; undefined if none of them belongs to it. */
export function groupFromEvents(events: readonly LockEvent[], id: string): LockGroup | undefined {
  const members = new Map<string, GroupMember>();
  let round = 1;
  let end: LockEvent['groupEnd'];
  for (const event of events) {
    if (event.group !== id) continue;
    round = Math.max(round, event.groupRound ?? 1);
    end = event.groupEnd ?? (isAttempt(event) ? undefined : end);
    const { source, db, lock: name } = event;
    const key = `${source}/${db}/${name}`;
    const state = stateAfter(event) ?? members.get(key)?.state;
    if (state !== undefined) members.set(key, { source, db, name, state });
  }
  if (members.size === 0) return undefined;
  const all = [...members.values()];
  const isRedLock = all.length > 1 && all.every(({ name }) => name === all[0]?.name);
  return { id, members: all, isRedLock, round, end };
}

function isAttempt({ type }: LockEvent): boolean {
  return type === 'lock.acquired' || type === 'lock.reentered' || type === 'lock.refused';
}

function stateAfter(event: LockEvent): MemberState | undefined {
  switch (event.type) {
    case 'lock.acquired':
    case 'lock.reentered':
      return 'held';
    case 'lock.refused':
      return event.asleep || event.attempt > 1 ? 'waited-for' : 'refused';
    case 'waiter.dequeued':
      return 'refused';
    case 'lock.released':
      return event.groupStep === 'roll-back' ? 'given-back' : 'released';
    case 'unlock.refused':
      return event.groupStep === 'never-held' ? 'never-held' : undefined;
    case 'lease.expired':
    case 'lock.force-released':
    case 'lock.deleted':
    case 'lock.evicted':
    case 'db.flushed':
    case 'lock.lost':
      return 'lost';
    default:
      return undefined;
  }
}
