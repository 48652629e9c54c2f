import type { LockEvent } from '../event.ts';
import { isTokenKind } from '../kinds/kinds.ts';
import { clientOf } from '../names/names.ts';
import { AcrossSources } from './across-sources.ts';
import {
  canJoin,
  isFirstOfRound,
  isFixUp,
  isGoingOn,
  isGroupable,
  isJustAfter,
  isLateStep,
  isNextRound,
  isNextStep,
  isRollBack,
  isRollBackAfter,
  isRoundAfter,
  isShownByItself,
} from './one-operation.ts';
import {
  beginOperation,
  beginRound,
  hasAny,
  hasEnough,
  type Member,
  memberOf,
  noteAttempt,
  noteTry,
  type Operation,
  reportedIn,
  revealedBy,
  stopWaiting,
  takenBackBy,
} from './operation.ts';
import { OperationTracker } from './operation-tracker.ts';
import { ShownSets } from './shown-sets.ts';

/** The most locks of one operation: a thread that acquires more in a row is not a multi lock. */
const MOST_MEMBERS = 64;

/**
 * Finds multi locks and RedLocks in the events of all sources, taken in order. Events of their members get the id of
 * their operation as `group`. The first member is recognised only when a later one is: the later event names the
 * earlier ones in `groupSeqs`.
 */
export class GroupFinder {
  readonly #tracker = new OperationTracker();
  readonly #across = new AcrossSources();
  readonly #shown = new ShownSets();

  /** Returns the event, with its group if it belongs to one. */
  take(event: LockEvent): LockEvent {
    switch (event.type) {
      case 'lock.acquired':
      case 'lock.reentered':
        return isGroupable(event, event.holder) ? this.#attempt(event, event.holder, 'held') : event;
      case 'lock.refused':
        return isGroupable(event, event.holder) ? this.#attempt(event, event.holder, 'refused') : event;
      case 'lock.partially-released':
        return this.#belonging(event, event.holder);
      case 'lock.released':
        return this.#release(event, event.holder);
      case 'unlock.refused':
        return this.#refusedUnlock(event, event.holder);
      case 'lease.renewed':
      case 'lease.shortened':
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
        this.#across.blindSpotBegan(event.source);
        this.#tracker.forgetSource(event.source);
        return event;
      case 'blind-spot.ended':
        this.#across.blindSpotEnded(event.source);
        return event;
      default:
        return event;
    }
  }

  #attempt(event: LockEvent, holder: string, state: Member['state']): LockEvent {
    this.#across.noteSource(event.source);
    const own = this.#tracker.of(holder);
    const last = own?.at(-1);
    if (last?.isCrowd && isNextStep(last, event)) {
      noteTry(last, event.at);
      return event;
    }
    const operationOfStep = last && isGoingOn(last, event) ? last : this.#tracker.about(holder, event, 'held');
    if (operationOfStep) return this.#goesOn(operationOfStep, event, state);
    if (last && isNextRound(last, event)) return this.#goesOn(last, event, state);
    const operationBefore = last && own?.findLast((each) => isRoundAfter(each, last, event));
    if (operationBefore) {
      // The thread released a lock after a failed wait for another, and now attempts the first one again: both are one
      // operation.
      this.#tracker.join(operationBefore, last);
      return this.#beginsAgain(operationBefore, event, state);
    }
    const joined = last && canJoin(last, event, holder) ? last : this.#across.find(event, holder, this.#tracker);
    if (joined && joined.members.size >= MOST_MEMBERS) return this.#crowd(joined, event);
    const isFirst = own === undefined && !isTokenKind(event.kind) && this.#tracker.isFirstSeen(clientOf(holder));
    if (joined && joined.id === undefined) joined.isUnsure = true;
    if (joined && !isLateStep(joined, event)) joined.isPrompt = true;
    const operation = joined ?? beginOperation(event, holder, isFirst);
    if (last && last !== operation) stopWaiting(last);
    if (!own?.includes(operation)) this.#keep(holder, operation);
    operation.holders.set(event.source, holder);
    if (joined?.isOver && state === 'refused') return this.#refusedLate(joined, event);
    this.#note(operation, event, state);
    if (joined) return this.#isShown(joined, event) ? revealedBy(operation, event) : reportedIn(operation, event);
    this.#across.offer(operation, event, holder);
    return reportedIn(operation, event);
  }

  /** Whether it is known that the locks of this operation belong together. */
  #isShown(operation: Operation, event: LockEvent): boolean {
    return operation.id !== undefined || isShownByItself(operation, event) || this.#shown.has(operation);
  }

  /** Takes a group back that has too many locks for one operation: the thread acquires one lock after the other. */
  #crowd(operation: Operation, event: LockEvent): LockEvent {
    operation.isCrowd = true;
    noteTry(operation, event.at);
    return takenBackBy(operation, event);
  }

  /**
   * Adds another attempt on a lock of the operation, or a re-entry. An attempt on an earlier lock than the last one
   * begins a new round.
   */
  #goesOn(operation: Operation, event: LockEvent, state: Member['state']): LockEvent {
    if (isFirstOfRound(operation, event)) beginRound(operation);
    const isAddedTo = operation.members.get(memberOf(event))?.state === 'held';
    if (!isAddedTo || operation.id === undefined) this.#note(operation, event, state);
    return reportedIn(operation, event);
  }

  #beginsAgain(operation: Operation, event: LockEvent, state: Member['state']): LockEvent {
    beginRound(operation);
    this.#note(operation, event, state);
    return revealedBy(operation, event);
  }

  /**
   * A refusal from another server arrives after the operation has ended. It can still show that the operation was
   * rolled back.
   */
  #refusedLate(operation: Operation, event: LockEvent): LockEvent {
    noteAttempt(operation, event, 'refused');
    if (!hasEnough(operation, wasHeld)) operation.end = 'rolled-back';
    return revealedBy(operation, event, operation.end && { groupEnd: operation.end });
  }

  #keep(holder: string, operation: Operation): void {
    this.#tracker.keep(holder, operation);
    const isKept = this.#tracker.sweep(operation.beganAt);
    if (isKept) this.#across.sweep(isKept);
  }

  #note(operation: Operation, event: LockEvent, state: Member['state']): void {
    operation.isOver = false;
    noteAttempt(operation, event, state);
    if (state === 'held') this.#tracker.noteHeld(event, operation);
  }

  #release(event: LockEvent, holder: string): LockEvent {
    const operation = this.#tracker.about(holder, event, 'held');
    const member = operation?.members.get(memberOf(event));
    if (!operation || !member) return event;
    const tried = this.#tracker.newestOf(holder);
    const isRolledBack = tried !== undefined && isRollBackAfter(operation, tried, event);
    if (isRolledBack) this.#tracker.join(operation, tried);
    const hadEnough = hasEnough(operation, wasHeld);
    const { isRevealed, isTakenBack } = this.#shown.judge(
      operation,
      event,
      isRolledBack || isRollBack(operation, event, hadEnough),
    );
    member.state = 'gone';
    operation.releasedAt = event.at;
    if (!hasAny(operation)) {
      operation.isOver = true;
      operation.end = hadEnough ? 'released' : 'rolled-back';
      if (hadEnough) this.#across.confirm(operation);
    }
    if (isTakenBack) return takenBackBy(operation, event);
    const step = hadEnough ? undefined : ({ groupStep: 'roll-back' } as const);
    const end = operation.isOver && operation.end ? { groupEnd: operation.end } : undefined;
    return isRevealed
      ? revealedBy(operation, event, { ...step, ...end })
      : reportedIn(operation, event, { ...step, ...end });
  }

  /** A refused unlock. A RedLock unlocks all its members, including those it never held. */
  #refusedUnlock(event: LockEvent, holder: string): LockEvent {
    const own = this.#tracker.about(holder, event) ?? this.#operationOfRelease(event, holder);
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
    const isUnknown = own.id === undefined && !isShownByItself(own, event);
    if (isUnknown || state === 'held' || own.members.size === 1) return reportedIn(own, event);
    return revealedBy(own, event, state === 'gone' ? undefined : { groupStep: 'never-held' });
  }

  #operationOfRelease(event: LockEvent, holder: string): Operation | undefined {
    const last = this.#tracker.newestOf(holder);
    // The token was made for these locks alone: a release of one more lock with it belongs to the same operation.
    const isTidiedUp =
      last !== undefined && isTokenKind(event.kind) && isGroupable(event, holder) && isJustAfter(last, event);
    return isTidiedUp ? last : this.#across.operationOfRelease(event, holder, last);
  }

  #fixUp(event: LockEvent): LockEvent {
    const operation = this.#tracker.having(event);
    if (!operation || !isFixUp(operation, event, this.#across.hasDeadSource)) return event;
    noteTry(operation, event.at);
    const twin = this.#across.fixedUpWith(operation, event);
    if (!twin || (twin.isOver && twin.id !== undefined)) {
      operation.fixedUp++;
      if (operation.id !== undefined || operation.fixedUp < 2)
        return reportedIn(operation, event, { groupStep: 'fix-up' });
      this.#shown.add(operation);
      return revealedBy(operation, event, { groupStep: 'fix-up' });
    }
    this.#tracker.join(twin, operation);
    this.#across.joined(twin, operation);
    return revealedBy(twin, event, { groupStep: 'fix-up' });
  }

  #waiting(event: LockEvent, holder: string): LockEvent {
    const operation = this.#tracker.about(holder, event);
    if (!operation || operation.isOver) return event;
    const member = operation.members.get(memberOf(event));
    if (member?.state === 'refused') {
      member.hasWaited = true;
      if (event.type === 'waiter.dequeued') member.hasGivenUp = true;
    }
    noteTry(operation, event.at);
    return reportedIn(operation, event);
  }

  #loss(event: LockEvent, holder: string): LockEvent {
    const operation = this.#tracker.about(holder, event, 'held');
    const member = operation?.members.get(memberOf(event));
    if (!operation || !member) return event.type === 'lock.lost' ? this.#lostUnseen(event, holder) : event;
    member.state = 'gone';
    if (hasAny(operation)) return reportedIn(operation, event);
    operation.isOver = true;
    operation.end = 'lost';
    operation.releasedAt ??= event.at;
    return reportedIn(operation, event, { groupEnd: 'lost' });
  }

  /** A failover or a restart is found after a blind spot, when the members on that server were already dropped. */
  #lostUnseen(event: LockEvent, holder: string): LockEvent {
    const operation = this.#tracker.about(holder, event, 'gone');
    return operation && operation.end !== 'released' ? reportedIn(operation, event) : event;
  }

  #belonging(event: LockEvent, holder: string): LockEvent {
    const operation = this.#tracker.about(holder, event, 'held');
    return operation ? reportedIn(operation, event) : event;
  }
}

function wasHeld({ state }: Member): boolean {
  return state === 'held' || state === 'gone';
}
