import { millisBetween, type RedisTime } from '../../base/time.ts';
import { eventWith, type GroupFields, type LockEvent } from '../event.ts';

/**
 * What a client did to several locks as one: a multi lock or a RedLock. Redis does not show it, so it is inferred.
 *
 *   a  acquired ─────────────────────────────── released
 *   b      acquired ───────────────────────────  released
 *   c          refused · · · acquired ────────────  released
 *      └ ms ┘└ ms ┘                            └ ms ┘
 */
export type Operation = {
  /** The id of the group, once it is reported; undefined: only one lock so far, or not enough evidence. */
  id: string | undefined;
  readonly firstSeq: number;
  /** The holders by source: a RedLock has one client for each server. */
  readonly holders: Map<string, string>;
  /** The locks by id, in the order of their first attempts. */
  readonly members: Map<string, Member>;
  /** The `seq`s of the operation's events so far. An event names them once it is certain whether this is a group. */
  seqs: number[];
  /** `seq`s from a merged operation that are not named yet. */
  readonly unreported: number[];
  readonly beganAt: RedisTime;
  /** When the operation last attempted a lock, or waited for one. */
  triedAt: RedisTime;
  /** When the operation last released a lock. */
  releasedAt: RedisTime | undefined;
  isOver: boolean;
  end: GroupEnd | undefined;
  /** 1 for the first round; one more after each roll-back that was followed by new attempts. */
  round: number;
  /** The id of the lock that was attempted last. */
  lastTried: string;
  leaseMs: number | undefined;
  /** This is the first operation of its client, as far as was seen. */
  readonly isFirstOfClient: boolean;
  /**
   * So far only time suggests that the locks of the operation belong together. It is not reported as a group until
   * there is other evidence.
   */
  isUnsure: boolean;
  /**
   * A release has shown that the locks of the operation do not belong together: no lock joins it, and it is never
   * reported as a group.
   */
  isRefuted: boolean;
  /** The releases so far were so close together that the client sent them without waiting for replies. */
  isReleasedAtOnce: boolean;
  /** One of the locks followed the previous one as fast as in a multi lock. */
  isPrompt: boolean;
  /** How many leases of members were fixed up by a plain command. */
  fixedUp: number;
  /** Too many locks in a row for a multi lock; attempts right after it are not part of one either. */
  isCrowd: boolean;
};

export type Member = {
  readonly source: string;
  readonly name: string;
  /** `refused`: attempted, not acquired. `never`: not acquired in this round, perhaps unlocked without an attempt. */
  state: 'held' | 'refused' | 'gone' | 'never';
  /** The holder waited for this lock. */
  hasWaited: boolean;
  /** The holder stopped waiting for this lock. */
  hasGivenUp: boolean;
};

type GroupEnd = 'released' | 'rolled-back' | 'lost';

/** An operation remembers its first `seq`s, up to this many. */
const MOST_SEQS = 200;

/** The id of an event's lock, unique over all sources. */
export function memberOf(event: LockEvent): string {
  if (event === knownEvent) return knownMember;
  knownEvent = event;
  knownMember = `${event.source}/${event.db}/${event.lock}`;
  return knownMember;
}

/** Cache of the last event: each one is looked up several times. */
let knownEvent: LockEvent | undefined;
let knownMember = '';

/** Creates an operation that begins with this event of this holder. */
export function beginOperation(event: LockEvent, holder: string, isFirstOfClient = false): Operation {
  return {
    id: undefined,
    firstSeq: event.seq,
    holders: new Map([[event.source, holder]]),
    members: new Map(),
    seqs: [],
    unreported: [],
    beganAt: event.at,
    triedAt: event.at,
    releasedAt: undefined,
    isOver: false,
    end: undefined,
    round: 1,
    lastTried: '',
    leaseMs: undefined,
    isFirstOfClient,
    isUnsure: false,
    isRefuted: false,
    isReleasedAtOnce: true,
    isPrompt: false,
    fixedUp: 0,
    isCrowd: false,
  };
}

/** Notes an attempt on a lock and its outcome. */
export function noteAttempt(operation: Operation, event: LockEvent, state: Member['state']): void {
  const id = memberOf(event);
  const known = operation.members.get(id);
  const hasWaited =
    (known?.hasWaited ?? false) || (event.type === 'lock.refused' && (event.asleep || event.attempt > 1));
  if (known) {
    known.state = state;
    known.hasWaited = hasWaited;
    known.hasGivenUp = false;
  } else operation.members.set(id, { source: event.source, name: event.lock, state, hasWaited, hasGivenUp: false });
  operation.lastTried = id;
  noteTry(operation, event.at);
  if ('leaseMs' in event) operation.leaseMs = event.leaseMs;
}

/** Notes that the operation still attempted locks at that time. */
export function noteTry(operation: Operation, at: RedisTime): void {
  if (at > operation.triedAt) operation.triedAt = at;
}

/** Begins a new round: all locks are attempted again, from the first one on. */
export function beginRound(operation: Operation): void {
  operation.round++;
  operation.end = undefined;
  operation.releasedAt = undefined;
  operation.isReleasedAtOnce = true;
  for (const member of operation.members.values()) {
    if (member.state !== 'held') member.state = 'never';
    member.hasWaited = false;
    member.hasGivenUp = false;
  }
}

/** Ends an operation that holds nothing, since its holder now attempts another lock. */
export function stopWaiting(operation: Operation): void {
  if (operation.isOver || hasAny(operation)) return;
  operation.isOver = true;
  operation.end = 'rolled-back';
}

/** Merges an operation that turns out to be a later part of this one. */
export function absorb(operation: Operation, rest: Operation): void {
  for (const [id, member] of rest.members) if (!operation.members.has(id)) operation.members.set(id, member);
  operation.seqs = [...operation.seqs, ...rest.seqs];
  operation.unreported.push(...rest.seqs);
  if (rest.triedAt > operation.triedAt) operation.triedAt = rest.triedAt;
  operation.isOver = operation.isOver && !hasAny(rest);
  rest.isOver = true;
}

/** Adds an event to the operation. Returns it with the group's fields if the operation is reported as a group. */
export function reportedIn(operation: Operation, event: LockEvent, ...more: (GroupFields | undefined)[]): LockEvent {
  const { id, seqs, round, beganAt } = operation;
  const again = round > 1 ? { groupRound: round, groupSince: beganAt } : undefined;
  const reported = id === undefined ? event : eventWith(event, { group: id }, again, ...more);
  if (seqs.length < MOST_SEQS) seqs.push(event.seq);
  return reported;
}

/**
 * Adds an event that shows that the operation is a group, or that another operation belongs to this group. Returns the
 * event, with the earlier events that are not named yet in `groupSeqs`.
 */
export function revealedBy(operation: Operation, event: LockEvent, more?: GroupFields): LockEvent {
  const isNew = operation.id === undefined;
  operation.id ??= `g${operation.firstSeq.toString(36)}`;
  operation.isUnsure = false;
  const before = isNew ? [...operation.seqs] : operation.unreported.splice(0);
  return reportedIn(operation, event, more, before.length > 0 ? { groupSeqs: before } : undefined);
}

/** Returns the event that shows that these locks are not a group, with the former group's events in `groupSeqs`. */
export function takenBackBy(operation: Operation, event: LockEvent): LockEvent {
  operation.id = undefined;
  const { seqs } = operation;
  operation.seqs = [];
  return eventWith(event, { groupSeqs: seqs });
}

/** Whether an operation still holds any of its locks. */
export function hasAny({ members }: Operation): boolean {
  for (const { state } of members.values()) if (state === 'held') return true;
  return false;
}

export function statesOf({ members }: Operation, state: Member['state']): Member[] {
  return [...members.values()].filter((member) => member.state === state);
}

/**
 * Whether `isHeld` is true for enough locks of an operation: all of them, or more than half for a RedLock, which is one
 * name on several servers.
 */
export function hasEnough(operation: Operation, isHeld: (member: Member) => boolean): boolean {
  if (operation.members.size === 1) return isHeld([...operation.members.values()][0] as Member); // exactly one
  const all = [...operation.members.values()];
  const held = all.filter(isHeld).length;
  return held === all.length || (isOneNameOnSeveral(all) && held * 2 > all.length);
}

function isOneNameOnSeveral(members: readonly Member[]): boolean {
  const [first] = members;
  return members.every(({ name }) => name === first?.name) && new Set(members.map(({ source }) => source)).size > 1;
}

export function apartMs(first: RedisTime, second: RedisTime): number {
  return Math.abs(millisBetween(first, second));
}
