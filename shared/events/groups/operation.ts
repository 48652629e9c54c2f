import { millisBetween, type RedisTime } from '../../base/time.ts';
import type { LockEvent } from '../event.ts';

/**
 * What a client did to several locks as one: a multi lock, a RedLock. Nothing in Redis says so; it is inferred.
 *
 *   a  acquired ─────────────────────────────── released
 *   b      acquired ───────────────────────────  released
 *   c          refused · · · acquired ────────────  released
 *      └ ms ┘└ ms ┘                            └ ms ┘
 */
export type Operation = {
  /** Its short name, once it was told; undefined: one lock so far. */
  id: string | undefined;
  readonly firstSeq: number;
  /** Who does it, by source: a RedLock has one client for each server. */
  readonly holders: Map<string, string>;
  /** Its locks by id, in the order of their first attempts. */
  readonly members: Map<string, Member>;
  /** `seq`s of its events so far: told together once it is one of several locks, and taken back if it is none. */
  seqs: number[];
  /** Those taken in from another operation, not named yet. */
  readonly untold: number[];
  readonly beganAt: RedisTime;
  /** When it last tried to get a lock, or waited for one. */
  triedAt: RedisTime;
  /** When it last let one go. */
  releasedAt: RedisTime | undefined;
  isOver: boolean;
  end: GroupEnd | undefined;
  round: number;
  /** Lock tried last. */
  lastTried: string;
  leaseMs: number | undefined;
  /** It is the first thing that its client did, as far as was seen. */
  readonly isFirstOfClient: boolean;
  /** Only time shows that its locks are one so far: it is not reported as a group until something else shows it. */
  isUnsure: boolean;
  /** Its releases so far came so close together that the requests were under way at the same time. */
  isReleasedAtOnce: boolean;
  /** A lock came as soon after the one before as the next member of a multi lock does. */
  isPrompt: boolean;
  /** Members whose lease a plain command set to its real length. */
  fixedUp: number;
  /** So many locks in a row that it is no multi lock: what follows at once is of none either. */
  isCrowd: boolean;
};

export type Member = {
  readonly source: string;
  readonly name: string;
  /** `refused`: tried, not had. `never`: let go without ever having been tried or had. */
  state: 'held' | 'refused' | 'gone' | 'never';
  /** It waited for this one. */
  hasWaited: boolean;
  /** It waits for this one no more. */
  hasGivenUp: boolean;
};

export type GroupEnd = 'released' | 'rolled-back' | 'lost';

/** Events an operation remembers by `seq`. */
const MOST_SEQS = 200;

/** What a group is told by: put on an event. */
export type GroupFields = Pick<LockEvent, 'group' | 'groupSeqs' | 'groupStep' | 'groupEnd' | 'groupRound'>;

/** The lock of an event, unlike any other over all sources. */
export function memberOf(event: LockEvent): string {
  if (event === knownEvent) return knownMember;
  knownEvent = event;
  knownMember = `${event.source}/${event.db}/${event.lock}`;
  return knownMember;
}

/** The event asked about last: each is asked about several times. */
let knownEvent: LockEvent | undefined;
let knownMember = '';

/** An operation that begins with this event of this holder. */
export function beginOperation(event: LockEvent, holder: string, isFirstOfClient = false): Operation {
  return {
    id: undefined,
    firstSeq: event.seq,
    holders: new Map([[event.source, holder]]),
    members: new Map(),
    seqs: [],
    untold: [],
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
    isReleasedAtOnce: true,
    isPrompt: false,
    fixedUp: 0,
    isCrowd: false,
  };
}

/** Notes that an attempt on a lock ended like this. */
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

/** Notes that it was still about its locks at that time. */
export function noteTry(operation: Operation, at: RedisTime): void {
  if (at > operation.triedAt) operation.triedAt = at;
}

/** It asks for its locks once more, from the first one on. */
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

/** Its holder asks for something else: it does not wait any more for what it was refused. */
export function stopWaiting(operation: Operation): void {
  if (operation.isOver || hasAny(operation)) return;
  operation.isOver = true;
  operation.end = 'rolled-back';
}

/** Takes in an operation that turns out to be the rest of this one. */
export function absorb(operation: Operation, rest: Operation): void {
  for (const [id, member] of rest.members) if (!operation.members.has(id)) operation.members.set(id, member);
  operation.seqs = [...operation.seqs, ...rest.seqs];
  operation.untold.push(...rest.seqs);
  if (rest.triedAt > operation.triedAt) operation.triedAt = rest.triedAt;
  operation.isOver = operation.isOver && !hasAny(rest);
  rest.isOver = true;
}

/** The event as one of the operation, told as such when it is one of several locks. */
export function toldIn(operation: Operation, event: LockEvent, more?: GroupFields): LockEvent {
  const { id, seqs, round } = operation;
  const told = id === undefined ? event : { ...event, group: id, ...(round > 1 ? { groupRound: round } : {}), ...more };
  if (seqs.length < MOST_SEQS) seqs.push(event.seq);
  return told;
}

/** The event by which it turns out to be one of several locks: those before it are named. */
export function revealedBy(operation: Operation, event: LockEvent, more?: GroupFields): LockEvent {
  const isNew = operation.id === undefined;
  operation.id ??= `g${operation.firstSeq.toString(36)}`;
  operation.isUnsure = false;
  const before = isNew ? [...operation.seqs] : operation.untold.splice(0);
  return toldIn(operation, event, { ...more, ...(before.length > 0 ? { groupSeqs: before } : {}) });
}

/** The event by which it turns out that these locks have nothing to do with each other. */
export function takenBackBy(operation: Operation, event: LockEvent): LockEvent {
  operation.id = undefined;
  const { seqs } = operation;
  operation.seqs = [];
  return { ...event, groupSeqs: seqs };
}

/** Whether it still has any of its locks. */
export function hasAny({ members }: Operation): boolean {
  for (const { state } of members.values()) if (state === 'held') return true;
  return false;
}

export function statesOf({ members }: Operation, state: Member['state']): Member[] {
  return [...members.values()].filter((member) => member.state === state);
}

/**
 * Whether it has what it wanted, though not all of its locks: a RedLock, which is one name on several servers, does with
 * more than half.
 */
export function hasEnough(operation: Operation, isHeld: (member: Member) => boolean): boolean {
  if (operation.members.size === 1) return isHeld([...operation.members.values()][0] as Member); // there is one
  const all = [...operation.members.values()];
  const held = all.filter(isHeld).length;
  return held === all.length || (isOneNameOnSeveral(all) && held * 2 > all.length);
}

function isOneNameOnSeveral(members: readonly Member[]): boolean {
  const [first] = members;
  return members.every(({ name }) => name === first?.name) && new Set(members.map(({ source }) => source)).size > 1;
}

/** How far apart two instants are, whichever comes first. */
export function apartMs(one: RedisTime, other: RedisTime): number {
  return Math.abs(millisBetween(one, other));
}
