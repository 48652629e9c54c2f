import type { RedisTime } from '../base/time.ts';
import { isOfSource, type LockEvent } from '../events/event.ts';
import { type LockState, lockIdOf } from './lock-state.ts';
import { reduceLock } from './reduce.ts';

/** A source that nobody watches, since when and why. */
export type BlindSpot = { readonly source: string; readonly since: RedisTime; readonly reason: string };

/** From a place in the stream on nothing is known of some locks, although no event says so. */
export type Forgotten = {
  /** The `seq` of the newest event before. */
  readonly afterSeq: number;
  readonly at: RedisTime;
  /** All locks of this source, or the locks with these ids; without either, all locks. */
  readonly source?: string;
  readonly ids?: readonly string[];
};

/**
 * Locks at a past place in the stream: a known state, and the events since.
 *
 *   state ──► event ──► event ──► forgotten ──► event ──► locks, blind spots
 */
export class PastWorld {
  readonly #locks = new Map<string, LockState>();
  readonly #blind = new Map<string, BlindSpot>();
  /** Locks that were forgotten within a blind spot that still goes on. */
  readonly #unwatched = new Map<string, LockState>();

  constructor(state: { locks?: Iterable<LockState>; blind?: Iterable<BlindSpot> } = {}) {
    for (const lock of state.locks ?? []) this.put(lock);
    for (const spot of state.blind ?? []) this.#blind.set(spot.source, spot);
  }

  /** Takes the next event. */
  take(event: LockEvent): void {
    if (event.type === 'blind-spot.began' && !this.#blind.has(event.source)) {
      this.#blind.set(event.source, { source: event.source, since: event.at, reason: event.reason });
    }
    if (event.type === 'blind-spot.ended') this.#endBlindSpot(event.source);
    if (isOfSource(event)) return;
    const id = lockIdOf(event);
    this.#unwatched.delete(id);
    this.#locks.set(id, reduceLock(this.#locks.get(id), event));
  }

  /** Replaces the state of a lock, or adds it. */
  put(lock: LockState): void {
    this.#locks.set(lockIdOf({ ...lock, lock: lock.name }), lock);
  }

  /** Drops locks that nothing is known of any longer. */
  forget({ source, ids }: Forgotten): void {
    const gone =
      ids ?? [...this.#locks].flatMap(([id, lock]) => (source === undefined || lock.source === source ? id : []));
    for (const id of gone) {
      const lock = this.#locks.get(id);
      if (lock && this.#blind.has(lock.source)) this.#unwatched.set(id, lock);
      this.#locks.delete(id);
    }
  }

  get(id: string): LockState | undefined {
    return this.#locks.get(id);
  }

  locks(): IterableIterator<LockState> {
    return this.#locks.values();
  }

  /** Locks as they were when their source was last watched, if it is not and they were forgotten since. */
  unwatched(): IterableIterator<LockState> {
    return this.#unwatched.values();
  }

  /** Sources that are not watched at this place. */
  blind(): BlindSpot[] {
    return [...this.#blind.values()];
  }

  /** Since when the source is not watched; undefined if it is. */
  blindSince(source: string): RedisTime | undefined {
    return this.#blind.get(source)?.since;
  }

  #endBlindSpot(source: string): void {
    this.#blind.delete(source);
    for (const [id, lock] of this.#unwatched) if (lock.source === source) this.#unwatched.delete(id);
  }
}
