import { isOfSource, type LockEvent } from '../../../shared/events/event.ts';
import { isFree, type LockState, lockIdOf } from '../../../shared/state/lock-state.ts';
import { reduceLock } from '../../../shared/state/reduce.ts';
import type { BlindEdge } from './blind-edge.ts';
import { type Drop, isDropOf } from './drops.ts';
import { firstFrom } from './search.ts';

/** The state of all locks, and the sources not watched, at the left edge of a stretch. */
export class LeftEdge {
  readonly #locks: Map<string, LockState>;
  readonly #blind: Map<string, BlindEdge>;

  constructor(locks: readonly LockState[] = [], blind: readonly BlindEdge[] = []) {
    this.#locks = new Map(locks.map((lock) => [lockIdOf({ ...lock, lock: lock.name }), lock]));
    this.#blind = new Map(blind.map((spot) => [spot.source, spot]));
  }

  get(id: string): LockState | undefined {
    return this.#locks.get(id);
  }

  locks(): readonly LockState[] {
    return [...this.#locks.values()];
  }

  blind(): readonly BlindEdge[] {
    return [...this.#blind.values()];
  }

  all(): { locks: readonly LockState[]; blind: readonly BlindEdge[] } {
    return { locks: this.locks(), blind: this.blind() };
  }

  blindSpotOf(source: string): BlindEdge | undefined {
    return this.#blind.get(source);
  }

  /** Moves the edge past some events. Forgets dropped locks, and free locks that are not in `kept`. */
  moveBehind(events: readonly LockEvent[], kept: ReadonlySet<string>, drops: readonly Drop[]): void {
    let next = firstFrom(drops, events[0]?.seq ?? 0, (drop) => drop.afterSeq + 1);
    for (const event of events) {
      for (let drop = drops[next]; drop && drop.afterSeq < event.seq; drop = drops[++next]) this.#drop(drop);
      if (event.type === 'blind-spot.began' && !this.#blind.has(event.source)) {
        this.#blind.set(event.source, { source: event.source, since: event.at, reason: event.reason });
      }
      if (event.type === 'blind-spot.ended') this.#blind.delete(event.source);
      if (!isOfSource(event)) this.#locks.set(lockIdOf(event), reduceLock(this.#locks.get(lockIdOf(event)), event));
    }
    for (const [id, lock] of this.#locks) if (isFree(lock) && !kept.has(id)) this.#locks.delete(id);
  }

  #drop(drop: Drop): void {
    for (const id of drop.ids ?? [...this.#locks.keys()]) if (isDropOf(drop, id)) this.#locks.delete(id);
  }
}
