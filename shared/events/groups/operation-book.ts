import { type RedisTime, redisTime } from '../../base/time.ts';
import type { LockEvent } from '../event.ts';
import { absorb, apartMs, hasAny, type Member, memberOf, type Operation, statesOf } from './operation.ts';

/** Holders, or locks, looked after before those that are through are forgotten. */
const SWEPT_AT = 5_000;
/** How long what is over may still be joined by events of other sources, which arrive later. */
const KEPT_MS = 2_000;
const MOST_HOLDERS = 50_000;
const MOST_CLIENTS = 50_000;
/** Operations of one holder, before those that are through are forgotten. */
const MOST_OF_A_HOLDER = 32;

/** Operations by who does them, the newest last, and by the locks that they have. */
export class OperationBook {
  readonly #operations = new Map<string, Operation[]>();
  /** The operation that last had a lock: a lease set by a plain command names no holder. */
  readonly #byLock = new Map<string, Operation>();
  readonly #clients = new Set<string>();
  #sweepAt = SWEPT_AT;

  /** All of a holder that are remembered. */
  of(holder: string): readonly Operation[] | undefined {
    return this.#operations.get(holder);
  }

  newestOf(holder: string): Operation | undefined {
    return this.#operations.get(holder)?.at(-1);
  }

  /** The newest operation of a holder that this lock is of, in that state where one is named. */
  about(holder: string, event: LockEvent, state?: Member['state']): Operation | undefined {
    const id = memberOf(event);
    return this.#operations.get(holder)?.findLast(({ members }) => {
      const member = members.get(id);
      return member !== undefined && (state === undefined || member.state === state);
    });
  }

  /** The operation that last had a lock. */
  having(event: LockEvent): Operation | undefined {
    return this.#byLock.get(memberOf(event));
  }

  noteHeld(event: LockEvent, operation: Operation): void {
    this.#byLock.set(memberOf(event), operation);
  }

  /** Whether a client is here for the first time; it is not when it is asked about again. */
  isFirstSeen(client: string): boolean {
    if (this.#clients.size >= MOST_CLIENTS || this.#clients.has(client)) return false;
    this.#clients.add(client);
    return true;
  }

  keep(holder: string, operation: Operation): void {
    const own = this.#operations.get(holder);
    if (own && own.length < MOST_OF_A_HOLDER) own.push(operation);
    else if (own) this.#operations.set(holder, [...own.filter(isLasting).slice(1 - MOST_OF_A_HOLDER / 2), operation]);
    else this.#operations.set(holder, [operation]);
  }

  /** What were two, of one holder or on several servers, is one: the newest of all who do it. */
  join(operation: Operation, rest: Operation): void {
    absorb(operation, rest);
    for (const [source, holder] of rest.holders) {
      operation.holders.set(source, holder);
      const others = this.#operations.get(holder)?.filter((each) => each !== operation && each !== rest) ?? [];
      this.#operations.set(holder, [...others, operation]);
    }
    for (const id of rest.members.keys()) if (this.#byLock.get(id) === rest) this.#byLock.set(id, operation);
  }

  /** Forgets what is through, when there is much; gives back what is worth keeping then. */
  sweep(now: RedisTime): ((operation: Operation) => boolean) | undefined {
    if (this.#operations.size <= this.#sweepAt && this.#byLock.size <= this.#sweepAt) return undefined;
    for (const [holder, own] of this.#operations) {
      const kept = own.filter((each) => isWorthKeeping(each, now));
      if (kept.length === 0 || this.#operations.size > MOST_HOLDERS) this.#operations.delete(holder);
      else if (kept.length < own.length) this.#operations.set(holder, kept);
    }
    for (const [lock, operation] of this.#byLock) if (!isWorthKeeping(operation, now)) this.#byLock.delete(lock);
    this.#sweepAt = Math.max(SWEPT_AT, this.#operations.size * 2, this.#byLock.size * 2);
    return (operation) => isWorthKeeping(operation, now);
  }

  /** What becomes of a server's locks while nobody watches is not known. */
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

/** It is told of as a group, and goes on. */
function isLasting({ id, isOver }: Operation): boolean {
  return id !== undefined && !isOver;
}

function isWorthKeeping(operation: Operation, now: RedisTime): boolean {
  const newest = redisTime(Math.max(operation.triedAt, operation.releasedAt ?? 0));
  return isLasting(operation) || apartMs(newest, now) < KEPT_MS;
}
