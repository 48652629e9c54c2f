import { type RedisTime, redisTime } from '../../base/time.ts';
import type { LockEvent } from '../event.ts';
import { absorb, apartMs, hasAny, type Member, memberOf, type Operation, statesOf } from './operation.ts';

/** With more holders or locks than this, ended operations are forgotten. */
const SWEPT_AT = 5_000;
/** After this many new operations, ended ones are forgotten, however few holders there are. */
const SWEPT_EVERY = 2_000;
/** How long an ended operation is kept: events of other sources may arrive late and still join it. */
const KEPT_MS = 2_000;
const MOST_HOLDERS = 50_000;
const MOST_CLIENTS = 50_000;
/** If a holder has more operations than this, only the newest of its groups that have not ended are kept. */
const MOST_OF_A_HOLDER = 32;

/** Operations by their holders, newest last, and by the locks they hold. */
export class OperationTracker {
  readonly #operations = new Map<string, Operation[]>();
  /** By lock: the operation that last held it. A lease set by a plain command names no holder. */
  readonly #byLock = new Map<string, Operation>();
  readonly #clients = new Set<string>();
  #sweepAt = SWEPT_AT;
  /** How many operations are new since the last sweep, and after how many the next one is due. */
  #added = 0;
  #sweepAfter = SWEPT_EVERY;

  /** All remembered operations of a holder, newest last. */
  of(holder: string): readonly Operation[] | undefined {
    return this.#operations.get(holder);
  }

  newestOf(holder: string): Operation | undefined {
    return this.#operations.get(holder)?.at(-1);
  }

  /**
   * The holder's newest operation with this lock as a member; with `state`, only one in which this lock is in that
   * state.
   */
  about(holder: string, event: LockEvent, state?: Member['state']): Operation | undefined {
    const id = memberOf(event);
    return this.#operations.get(holder)?.findLast(({ isOver, members }) => {
      // a worker of a pool has many ended operations, and they hold nothing
      if (isOver && state === 'held') return false;
      const member = members.get(id);
      return member !== undefined && (state === undefined || member.state === state);
    });
  }

  /** The operation that last held the lock of this event. */
  having(event: LockEvent): Operation | undefined {
    return this.#byLock.get(memberOf(event));
  }

  noteHeld(event: LockEvent, operation: Operation): void {
    this.#byLock.set(memberOf(event), operation);
  }

  /** Notes a client, and returns whether it is seen for the first time. With too many clients, always false. */
  isFirstSeen(client: string): boolean {
    if (this.#clients.size >= MOST_CLIENTS || this.#clients.has(client)) return false;
    this.#clients.add(client);
    return true;
  }

  keep(holder: string, operation: Operation): void {
    this.#added++;
    const own = this.#operations.get(holder);
    if (own && own.length < MOST_OF_A_HOLDER) own.push(operation);
    else if (own) this.#operations.set(holder, [...own.filter(isLasting).slice(1 - MOST_OF_A_HOLDER / 2), operation]);
    else this.#operations.set(holder, [operation]);
  }

  /**
   * Merges `rest` into `operation`. Both belong to one holder, or are on several servers. The result is the newest
   * operation of each holder of `rest`.
   */
  join(operation: Operation, rest: Operation): void {
    absorb(operation, rest);
    for (const [source, holder] of rest.holders) {
      operation.holders.set(source, holder);
      const others = this.#operations.get(holder)?.filter((each) => each !== operation && each !== rest) ?? [];
      this.#operations.set(holder, [...others, operation]);
    }
    for (const id of rest.members.keys()) if (this.#byLock.get(id) === rest) this.#byLock.set(id, operation);
  }

  /**
   * If there are many operations, forgets the ended ones; then returns a function that shows which operations to keep.
   */
  sweep(now: RedisTime): ((operation: Operation) => boolean) | undefined {
    const isCrowded = this.#operations.size > this.#sweepAt || this.#byLock.size > this.#sweepAt;
    if (!isCrowded && this.#added <= this.#sweepAfter) return undefined;
    // if there are too many, a single lock that is still held is forgotten, too
    const isKept = (each: Operation) => isWorthKeeping(each, now) || (!isCrowded && hasAny(each));
    let left = 0;
    for (const [holder, own] of this.#operations) {
      const kept = own.filter(isKept);
      left += kept.length;
      if (kept.length === 0 || this.#operations.size > MOST_HOLDERS) this.#operations.delete(holder);
      else if (kept.length < own.length) this.#operations.set(holder, kept);
    }
    for (const [lock, operation] of this.#byLock) if (!isKept(operation)) this.#byLock.delete(lock);
    if (isCrowded) this.#sweepAt = Math.max(SWEPT_AT, this.#operations.size * 2, this.#byLock.size * 2);
    this.#added = 0;
    this.#sweepAfter = Math.max(SWEPT_EVERY, left);
    return isKept;
  }

  /** Forgets the held locks of a source in a blind spot: their state is not known. */
  forgetSource(source: string): void {
    for (const own of this.#operations.values()) {
      for (const operation of own) {
        if (!operation.holders.has(source)) continue;
        for (const member of statesOf(operation, 'held')) if (member.source === source) member.state = 'gone';
        if (!hasAny(operation)) operation.isOver = true;
      }
    }
  }
}

/** Whether an operation is reported as a group and has not ended. */
function isLasting({ id, isOver }: Operation): boolean {
  return id !== undefined && !isOver;
}

function isWorthKeeping(operation: Operation, now: RedisTime): boolean {
  const newest = redisTime(Math.max(operation.triedAt, operation.releasedAt ?? 0));
  return isLasting(operation) || apartMs(newest, now) < KEPT_MS;
}
