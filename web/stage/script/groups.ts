import type { LockEvent } from '../../../shared/events/event.ts';
import { actorOf, lockOfEvent, type StageRun } from './run.ts';

/** The state of one lock of a group. */
type MemberState = 'held' | 'refused' | 'rolled-back' | 'released' | 'never-held' | 'lost';

/**
 * A multi lock or RedLock: several locks that one thread acquires as one. That they belong together is inferred, or
 * reported by the demo.
 */
export type StageGroup = {
  readonly id: string;
  /** The letter of the thread that acquires the group. */
  readonly who: string;
  /** By the key of the lock; a lock that the thread has not attempted yet is missing. */
  readonly members: ReadonlyMap<string, MemberState>;
  /** The `seq`s of its events. */
  readonly seqs: ReadonlySet<number>;
  /** Rises each time the thread starts again after a roll-back. `members` are those of this round. */
  readonly round: number;
  readonly end: 'released' | 'rolled-back' | 'lost' | null;
};

export type StageGroups = ReadonlyMap<string, StageGroup>;

/**
 * The groups after an event. An event of a member may name other events, whose locks become members now if they are not
 * dated later. Those dated later (from another server, whose events arrived sooner) become members with their own
 * moment.
 */
export function groupsAfter(
  run: StageRun,
  groups: StageGroups,
  event: LockEvent,
  bySeq: ReadonlyMap<number, LockEvent>,
): StageGroups {
  const { groupSeqs = [] } = event;
  const known = groupOf(groups, event);
  const id = event.group ?? known?.id;
  if (id === undefined) return groupSeqs.length === 0 ? groups : withoutSeqs(groups, groupSeqs);
  const { groupRound = event.group === undefined ? (known?.round ?? 1) : 1, groupEnd = null } = event;
  const isSameRound = known !== undefined && known.round === groupRound;
  const members = new Map(isSameRound ? known.members : []);
  const seqs = new Set(known?.seqs ?? []);
  let who = known?.who ?? '';
  for (const seq of [...groupSeqs, event.seq]) {
    const named = seq === event.seq ? event : bySeq.get(seq);
    const past = named && named.at <= event.at ? named : undefined;
    const key = past && lockOfEvent(run, past);
    const state = past && stateAfter(past);
    if (past && 'holder' in past && past.holder !== undefined && who === '') who = actorOf(run, past.holder).letter;
    if (key && state) members.set(key, state);
    seqs.add(seq);
  }
  return new Map(groups).set(id, { id, who, members, seqs, round: groupRound, end: groupEnd });
}

/** The group that an event names, or else the group that named the event. */
export function groupOf(groups: StageGroups, { group, seq }: LockEvent): StageGroup | undefined {
  if (group !== undefined) return groups.get(group);
  return [...groups.values()].find(({ seqs }) => seqs.has(seq));
}

/** The group with the newest event; null before the first group. */
export function newestGroup(groups: StageGroups): StageGroup | null {
  let newest: StageGroup | null = null;
  for (const group of groups.values()) {
    if (newest === null || Math.max(...group.seqs) > Math.max(...newest.seqs)) newest = group;
  }
  return newest;
}

/** How many members are held. */
export function heldIn({ members }: StageGroup): number {
  return [...members.values()].filter((state) => state === 'held').length;
}

/** The smallest number that is more than half. */
export function majorityOf(count: number): number {
  return Math.floor(count / 2) + 1;
}

function withoutSeqs(groups: StageGroups, seqs: readonly number[]): StageGroups {
  return new Map([...groups].filter(([, group]) => !seqs.some((seq) => group.seqs.has(seq))));
}

function stateAfter(event: LockEvent): MemberState | undefined {
  switch (event.type) {
    case 'lock.acquired':
    case 'lock.reentered':
    case 'lease.renewed':
    case 'lease.shortened':
      return 'held';
    case 'lock.refused':
      return 'refused';
    case 'lock.released':
      return event.groupStep === 'roll-back' ? 'rolled-back' : 'released';
    case 'unlock.refused':
      return event.groupStep === 'never-held' ? 'never-held' : 'lost';
    case 'lease.expired':
    case 'lock.lost':
      return 'lost';
    default:
      return undefined;
  }
}
