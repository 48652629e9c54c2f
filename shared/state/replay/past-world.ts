import { firstFrom } from '../../base/search.ts';
import type { RedisTime } from '../../base/time.ts';
import { isOfLock, type LockEvent } from '../../events/event.ts';
import { type BlindSpot, BlindSpots } from '../blind-spots.ts';
import { idOf, isFree, type LockState, lockIdOf } from '../lock-state.ts';
import { reduceLock } from '../reduce.ts';

/** The state of some locks became unknown at a place in the stream. No event reports that. */
export type Forgotten<Ids extends Iterable<string> = readonly string[]> = {
  /** The `seq` of the newest event before that place. */
  readonly afterSeq: number;
  readonly at: RedisTime;
  /** With `source`, only the locks of this source. With `ids`, only the locks with these ids. */
  readonly source?: string | undefined;
  readonly ids?: Ids | undefined;
  /** The source was removed. */
  readonly isClosed?: true;
};

/**
 * The locks at a past place in the stream, rebuilt from a known state and the events since.
 *
 *   state ──► event ──► event ──► forgotten ──► event ──► locks, blind spots
 */
export class PastWorld {
  readonly #locks = new Map<string, LockState>();
  readonly blind: BlindSpots;
  /** Locks that were forgotten within a blind spot that is still open. */
  readonly #unwatched = new Map<string, LockState>();

  constructor(blind: Iterable<BlindSpot> = []) {
    this.blind = new BlindSpots(blind);
  }

  /** Takes the next event. */
  take(event: LockEvent): void {
    this.blind.take(event);
    if (event.type === 'blind-spot.ended') this.#endUnwatched(event.source);
    if (!isOfLock(event)) return;
    const id = lockIdOf(event);
    this.#unwatched.delete(id);
    this.#locks.set(id, reduceLock(this.#locks.get(id), event));
  }

  /** Takes events in order, and forgets locks at the place of each mark. */
  takeAll(events: readonly LockEvent[], marks: readonly Forgotten<Iterable<string>>[]): void {
    let next = firstFrom(marks, events[0]?.seq ?? 0, ({ afterSeq }) => afterSeq + 1);
    for (const event of events) {
      for (let mark = marks[next]; mark && mark.afterSeq < event.seq; mark = marks[++next]) this.forget(mark);
      this.take(event);
    }
  }

  /** Adds the state of a lock that is not known yet. */
  add(lock: LockState): void {
    const id = idOf(lock);
    if (!this.#locks.has(id)) this.#locks.set(id, lock);
  }

  /** Drops locks whose state became unknown. */
  forget({ source, ids, isClosed }: Omit<Forgotten<Iterable<string>>, 'afterSeq' | 'at'>): void {
    if (source !== undefined && isClosed) this.blind.forget(source);
    const isMeant = (lock: LockState) => source === undefined || lock.source === source;
    for (const id of ids ?? [...this.#locks.keys()]) {
      const lock = this.#locks.get(id);
      if (!lock || !isMeant(lock)) continue;
      if (this.blind.since(lock.source) !== undefined) this.#unwatched.set(id, lock);
      this.#locks.delete(id);
    }
    if (source !== undefined && isClosed) this.#endUnwatched(source);
  }

  /** Drops free locks, except those with these ids. */
  forgetFree(kept: ReadonlySet<string>): void {
    for (const [id, lock] of this.#locks) if (isFree(lock) && !kept.has(id)) this.#locks.delete(id);
  }

  has(id: string): boolean {
    return this.#locks.has(id);
  }

  get(id: string): LockState | undefined {
    return this.#locks.get(id);
  }

  locks(): IterableIterator<LockState> {
    return this.#locks.values();
  }

  /** Locks that were forgotten in a blind spot that is still open, as they were before. */
  unwatched(): IterableIterator<LockState> {
    return this.#unwatched.values();
  }

  #endUnwatched(source: string): void {
    for (const [id, lock] of this.#unwatched) if (lock.source === source) this.#unwatched.delete(id);
  }
}
