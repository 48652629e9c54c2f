import type { Millis } from '../../base/time.ts';

/**
 * A fair lock's queue, head first, with the deadline of each waiter: until when it may stand there, in epoch ms by the
 * clients' clocks. Redis keeps a list and a sorted set, so a waiter may be in the list without a deadline: null.
 */
export class FairQueue {
  /** A Map keeps the order in which its keys came, and a waiter only ever comes to the tail. */
  readonly #deadlines = new Map<string, Millis | null>();
  /** `seq` of the event that last took somebody out before its time was up, and when. */
  lastEviction = -1;
  /** The stretch of watching in which it was last read whole; undefined: never. */
  readIn: number | undefined;
  /** How many stand behind those that were read, and were not seen to come: nobody knows who they are. */
  unknown = 0;
  /** Who was among the first when it was last read, where it was too long to be read whole. */
  firstRead: ReadonlySet<string> | undefined;
  /** It goes by another name than its lock's, and is not read: clients with a name mapper, before 3.52.0. */
  isElsewhere = false;

  /** All who stand there, known or not. */
  get length(): number {
    return this.#deadlines.size + this.unknown;
  }

  has(holder: string): boolean {
    return this.#deadlines.has(holder);
  }

  /** Null: it stands there without one. Undefined: it does not stand there. */
  deadlineOf(holder: string): Millis | null | undefined {
    return this.#deadlines.get(holder);
  }

  /** Head first. */
  entries(): IterableIterator<[string, Millis | null]> {
    return this.#deadlines.entries();
  }

  /** Puts a waiter at the tail, and gives back its position: 1 for the head. One that is there already stays in place. */
  push(holder: string, deadline: Millis | null): number {
    this.#deadlines.set(holder, deadline);
    return this.length;
  }

  /** Takes a waiter out where it is known to stand there. */
  remove(holder: string): void {
    this.#deadlines.delete(holder);
  }

  /** Takes out a waiter that left; one that was not known was among those that are only counted. */
  leave(holder: string): void {
    if (!this.#deadlines.delete(holder) && this.unknown > 0) this.unknown--;
  }

  clear(): void {
    this.#deadlines.clear();
    this.unknown = 0;
  }

  /** Moves deadlines by `ms`. */
  shift(ms: Millis, holders: readonly string[]): void {
    for (const holder of holders) {
      const before = this.#deadlines.get(holder);
      if (before != null) this.#deadlines.set(holder, before + ms);
    }
  }
}
