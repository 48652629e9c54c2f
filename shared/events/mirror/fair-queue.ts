import type { Millis } from '../../base/time.ts';

/**
 * A fair lock's queue, head first, with each waiter's deadline: until when it may be in the queue, in epoch ms by the
 * clients' clocks. Redis keeps a list and a sorted set, so a waiter may be in the list without a deadline: null.
 */
export class FairQueue {
  /** A Map keeps insertion order, and a waiter always joins at the tail. */
  readonly #deadlines = new Map<string, Millis | null>();
  /** `seq` of the event that reported the last eviction of a waiter; -1: none. */
  lastEviction = -1;
  /** The watch epoch (`Context.watchEpoch`) in which the queue was last read completely; undefined: never. */
  readInEpoch: number | undefined;
  /** How many unidentified waiters are behind those that were read: they were counted, but not seen to join. */
  unknown = 0;
  /** The first waiters at the last read, if the queue was too long to read completely. */
  firstRead: ReadonlySet<string> | undefined;
  /** The queue's keys use another name than the lock's, so it is not read: clients with a name mapper before 3.52.0. */
  isElsewhere = false;

  /** The number of all waiters, known or not. */
  get length(): number {
    return this.#deadlines.size + this.unknown;
  }

  has(holder: string): boolean {
    return this.#deadlines.has(holder);
  }

  /** Null: the waiter has no deadline. Undefined: it is not in the queue. */
  deadlineOf(holder: string): Millis | null | undefined {
    return this.#deadlines.get(holder);
  }

  /** The waiters with their deadlines, head first. */
  entries(): IterableIterator<[string, Millis | null]> {
    return this.#deadlines.entries();
  }

  /** Adds a waiter at the tail, or updates its deadline in place. Returns the length of the queue. */
  push(holder: string, deadline: Millis | null): number {
    this.#deadlines.set(holder, deadline);
    return this.length;
  }

  /** Removes a waiter, if it is known. */
  remove(holder: string): void {
    this.#deadlines.delete(holder);
  }

  /** Removes a waiter that left. An unknown waiter was among those that are only counted. */
  leave(holder: string): void {
    if (!this.#deadlines.delete(holder) && this.unknown > 0) this.unknown--;
  }

  clear(): void {
    this.#deadlines.clear();
    this.unknown = 0;
  }

  /** Moves the deadlines of these waiters by `ms`. */
  shift(ms: Millis, holders: readonly string[]): void {
    for (const holder of holders) {
      const before = this.#deadlines.get(holder);
      if (before != null) this.#deadlines.set(holder, before + ms);
    }
  }
}
