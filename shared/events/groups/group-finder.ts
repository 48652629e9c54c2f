import { type RedisTime, redisTime } from '../../base/time.ts';
import type { LockEvent } from '../event.ts';
import { AcrossSources } from './across-sources.ts';
import {
  canJoin,
  isAnew,
  isFixUp,
  isGoingOn,
  isJustAfter,
  isNextRound,
  isNoOperation,
  isRollBackAfter,
  isRoundAfter,
} from './one-operation.ts';
import {
  absorb,
  apartMs,
  beginOperation,
  beginRound,
  hasAny,
  hasEnough,
  type Member,
  memberOf,
  noteAttempt,
  noteTry,
  type Operation,
  revealedBy,
  statesOf,
  stopWaiting,
  takenBackBy,
  toldIn,
} from './operation.ts';

/** Libraries whose token is made anew for each acquisition: the same on several locks is one operation. */
const TOKEN_LIBRARIES: ReadonlySet<string> = new Set(['redlock', 'redsync', 'aioredlock', 'pottery']);
/** Holders looked after before those that are through are forgotten. */
const SWEPT_AT = 5_000;
/** How long what is over may still be joined by events of other sources, which arrive later. */
const KEPT_MS = 2_000;
const MOST_HOLDERS = 50_000;
/** Operations of one holder, before those that are through are forgotten. */
const MOST_OF_A_HOLDER = 32;

/**
 * Finds what belongs together in the events of all sources, in their order: the members of a multi lock or RedLock get
 * the name of their operation, `group`. Who is the first of several is known only with the second: that event names the
 * earlier ones, `groupSeqs`.
 */
export class GroupFinder {
  readonly #operations = new Map<string, Operation[]>();
  /** The operation that last had a lock: a lease set by a plain command names no holder. */
  readonly #byLock = new Map<string, Operation>();
  readonly #across = new AcrossSources();
  #sweepAt = SWEPT_AT;

  /** The event with its group, if it is of one. */
  take(event: LockEvent): LockEvent {
    switch (event.type) {
      case 'lock.acquired':
      case 'lock.reentered':
        return isGroupable(event) ? this.#attempt(event, event.holder, 'held') : event;
      case 'lock.refused':
        return isGroupable(event) ? this.#attempt(event, event.holder, 'refused') : event;
      case 'lock.partially-released':
        return this.#belonging(event, event.holder);
      case 'lock.released':
        return this.#release(event, event.holder);
      case 'unlock.refused':
        return this.#refusedUnlock(event, event.holder);
      case 'lease.renewed':
        return event.holder === undefined ? this.#fixUp(event) : this.#belonging(event, event.holder);
      case 'renewal.refused':
        return this.#belonging(event, event.holder);
      case 'waiter.queued':
      case 'waiter.dequeued':
      case 'waiter.subscribed':
      case 'waiter.unsubscribed':
        return event.holder === undefined ? event : this.#waiting(event, event.holder);
      case 'lease.expired':
      case 'lock.lost':
      case 'lock.force-released':
      case 'lock.deleted':
      case 'lock.evicted':
      case 'db.flushed':
        return event.holder === undefined ? event : this.#loss(event, event.holder);
      case 'blind-spot.began':
        this.#across.lookAway(event.source);
        this.#forgetSource(event.source);
        return event;
      case 'blind-spot.ended':
        this.#across.lookBack(event.source);
        return event;
      default:
        return event;
    }
  }

  #attempt(event: LockEvent, holder: string, state: Member['state']): LockEvent {
    this.#across.meet(event.source);
    const own = this.#operations.get(holder);
    const last = own?.at(-1);
    const going = last && isGoingOn(last, event) ? last : this.#of(holder, event, 'held');
    if (going) return this.#goesOn(going, event, state);
    if (last && isNextRound(last, event)) return this.#goesOn(last, event, state);
    const givenBack = last && own?.findLast((each) => isRoundAfter(each, last, event));
    if (givenBack) {
      // It gave a lock back when it had waited for another in vain, and asks for the first one again: both are one.
      this.#absorb(holder, givenBack, last);
      return this.#beginsAgain(givenBack, event, state);
    }
    const joined = last && canJoin(last, event, holder) ? last : this.#across.find(event, holder, this.#ofHolder);
    const operation = joined ?? beginOperation(event, holder);
    if (last && last !== operation) stopWaiting(last);
    if (!own?.includes(operation)) this.#keep(holder, operation);
    operation.holders.set(event.source, holder);
    if (joined?.isOver && state === 'refused') return this.#refusedLate(joined, event);
    this.#note(operation, event, state);
    if (joined) return revealedBy(operation, event);
    this.#across.offer(operation, event, holder);
    return toldIn(operation, event);
  }

  /** One more attempt on a lock of its own, or a re-entry. Whoever goes back to an earlier lock begins anew. */
  #goesOn(operation: Operation, event: LockEvent, state: Member['state']): LockEvent {
    if (isAnew(operation, event)) beginRound(operation);
    const isAddedTo = operation.members.get(memberOf(event))?.state === 'held';
    if (!isAddedTo || operation.id === undefined) this.#note(operation, event, state);
    return toldIn(operation, event);
  }

  #beginsAgain(operation: Operation, event: LockEvent, state: Member['state']): LockEvent {
    beginRound(operation);
    this.#note(operation, event, state);
    return revealedBy(operation, event);
  }

  /** Word of another server comes when all is over: not even what was had there was kept. */
  #refusedLate(operation: Operation, event: LockEvent): LockEvent {
    noteAttempt(operation, event, 'refused');
    if (!hasEnough(operation, isHad)) operation.end = 'rolled-back';
    return revealedBy(operation, event, operation.end && { groupEnd: operation.end });
  }

  #note(operation: Operation, event: LockEvent, state: Member['state']): void {
    operation.isOver = false;
    noteAttempt(operation, event, state);
    if (state === 'held') this.#byLock.set(memberOf(event), operation);
  }

  #release(event: LockEvent, holder: string): LockEvent {
    const operation = this.#of(holder, event, 'held');
    const member = operation?.members.get(memberOf(event));
    if (!operation || !member) return event;
    const tried = this.#ofHolder(holder);
    const isRolledBack = tried !== undefined && isRollBackAfter(operation, tried, event);
    if (isRolledBack) this.#absorb(holder, operation, tried);
    const hadEnough = hasEnough(operation, isHad);
    const isNone = operation.id !== undefined && isNoOperation(operation, event);
    member.state = 'gone';
    operation.releasedAt = event.at;
    if (!hasAny(operation)) {
      operation.isOver = true;
      operation.end = hadEnough ? 'released' : 'rolled-back';
      if (hadEnough) this.#across.confirm(operation);
    }
    if (isNone) return takenBackBy(operation, event);
    const step = hadEnough ? undefined : ({ groupStep: 'roll-back' } as const);
    const end = operation.isOver && operation.end ? { groupEnd: operation.end } : undefined;
    return isRolledBack
      ? revealedBy(operation, event, { ...step, ...end })
      : toldIn(operation, event, { ...step, ...end });
  }

  /** A RedLock unlocks all its members, also those that it never had. */
  #refusedUnlock(event: LockEvent, holder: string): LockEvent {
    const own = this.#of(holder, event) ?? this.#closing(event, holder);
    if (!own) return event;
    const id = memberOf(event);
    const { state } = own.members.get(id) ?? {};
    if (state === undefined)
      own.members.set(id, {
        source: event.source,
        name: event.lock,
        state: 'never',
        hasWaited: false,
        hasGivenUp: false,
      });
    if (state === 'held' || own.members.size === 1) return toldIn(own, event);
    return revealedBy(own, event, state === 'gone' ? undefined : { groupStep: 'never-held' });
  }

  #closing(event: LockEvent, holder: string): Operation | undefined {
    const last = this.#ofHolder(holder);
    // A token made for these locks alone: whoever lets go of one more by it means the same operation.
    const isTidiedUp =
      last !== undefined && event.kind === 'token-lock' && isGroupable(event) && isJustAfter(last, event);
    return isTidiedUp ? last : this.#across.closing(event, holder, last);
  }

  #fixUp(event: LockEvent): LockEvent {
    const operation = this.#byLock.get(memberOf(event));
    if (!operation || !isFixUp(operation, event)) return event;
    noteTry(operation, event.at);
    return toldIn(operation, event, { groupStep: 'fix-up' });
  }

  #waiting(event: LockEvent, holder: string): LockEvent {
    const operation = this.#of(holder, event);
    if (!operation || operation.isOver) return event;
    const member = operation.members.get(memberOf(event));
    if (member?.state === 'refused') {
      member.hasWaited = true;
      if (event.type === 'waiter.dequeued') member.hasGivenUp = true;
    }
    noteTry(operation, event.at);
    return toldIn(operation, event);
  }

  #loss(event: LockEvent, holder: string): LockEvent {
    const operation = this.#of(holder, event, 'held');
    const member = operation?.members.get(memberOf(event));
    if (!operation || !member) return event;
    member.state = 'gone';
    if (hasAny(operation)) return toldIn(operation, event);
    operation.isOver = true;
    operation.end = 'lost';
    operation.releasedAt ??= event.at;
    return toldIn(operation, event, { groupEnd: 'lost' });
  }

  #belonging(event: LockEvent, holder: string): LockEvent {
    const operation = this.#of(holder, event, 'held');
    return operation ? toldIn(operation, event) : event;
  }

  /** The newest operation of a holder that this lock is of, in that state where one is named. */
  #of(holder: string, event: LockEvent, state?: Member['state']): Operation | undefined {
    const id = memberOf(event);
    return this.#operations.get(holder)?.findLast(({ members }) => {
      const member = members.get(id);
      return member !== undefined && (state === undefined || member.state === state);
    });
  }

  readonly #ofHolder = (holder: string): Operation | undefined => this.#operations.get(holder)?.at(-1);

  /** Two of a holder are one, which is its newest. */
  #absorb(holder: string, operation: Operation, rest: Operation): void {
    absorb(operation, rest);
    const others = this.#operations.get(holder)?.filter((each) => each !== operation && each !== rest) ?? [];
    this.#operations.set(holder, [...others, operation]);
  }

  #keep(holder: string, operation: Operation): void {
    const own = this.#operations.get(holder);
    if (own && own.length < MOST_OF_A_HOLDER) own.push(operation);
    else if (own) this.#operations.set(holder, [...own.filter(isLasting).slice(1 - MOST_OF_A_HOLDER / 2), operation]);
    else this.#operations.set(holder, [operation]);
    if (this.#operations.size > this.#sweepAt) this.#sweep(operation.beganAt);
  }

  #sweep(now: RedisTime): void {
    for (const [holder, own] of this.#operations) {
      const kept = own.filter((each) => isWorthKeeping(each, now));
      if (kept.length === 0 || this.#operations.size > MOST_HOLDERS) this.#operations.delete(holder);
      else if (kept.length < own.length) this.#operations.set(holder, kept);
    }
    for (const [lock, operation] of this.#byLock) if (!isWorthKeeping(operation, now)) this.#byLock.delete(lock);
    this.#across.sweep((operation) => isWorthKeeping(operation, now));
    this.#sweepAt = Math.max(SWEPT_AT, this.#operations.size * 2);
  }

  /** What becomes of a server's locks while nobody watches is not known. */
  #forgetSource(source: string): void {
    for (const own of this.#operations.values()) {
      for (const operation of own) {
        if (!operation.holders.has(source)) continue;
        for (const member of statesOf(operation, 'held')) if (member.source === source) member.state = 'gone';
        if (!hasAny(operation)) operation.isOver = true;
      }
    }
  }
}

function isGroupable({ kind, library }: LockEvent): boolean {
  if (kind === 'token-lock') return library !== undefined && TOKEN_LIBRARIES.has(library);
  return kind !== 'group-lock';
}

function isHad({ state }: Member): boolean {
  return state === 'held' || state === 'gone';
}

/** It is told of as a group, and goes on. */
function isLasting({ id, isOver }: Operation): boolean {
  return id !== undefined && !isOver;
}

function isWorthKeeping(operation: Operation, now: RedisTime): boolean {
  const newest = redisTime(Math.max(operation.triedAt, operation.releasedAt ?? 0));
  return isLasting(operation) || apartMs(newest, now) < KEPT_MS;
}
