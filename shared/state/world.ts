import { isOfSource, type LockEvent } from '../events/event.ts';
import { regroupedLock } from './group-rules.ts';
import { type LockState, lockIdOf } from './lock-state.ts';
import { reduceLock } from './reduce.ts';

/** Every lock heard of, by id, after a run of events. */
export class World {
  readonly #locks: Map<string, LockState>;
  readonly #most: number;

  constructor(options: { most?: number; locks?: Iterable<readonly [string, LockState]> } = {}) {
    this.#locks = new Map(options.locks ?? []);
    this.#most = options.most ?? 200_000;
  }

  /** Takes the next event and gives back the id of the lock it changed, and of one forgotten to make room. */
  apply(event: LockEvent): { changed: string | undefined; forgotten: string | undefined } {
    if (isOfSource(event)) return { changed: undefined, forgotten: undefined };
    const id = lockIdOf(event);
    const before = this.#locks.get(id);
    const forgotten = before === undefined && this.#locks.size >= this.#most ? this.#forgetOne() : undefined;
    this.#locks.set(id, reduceLock(before, event));
    return { changed: id, forgotten };
  }

  /** Puts what a holder has or wants of a lock into a group, or takes it out; gives back the id of the lock if it changed. */
  regroup(id: string, holder: string, group: string | undefined): string | undefined {
    const before = this.#locks.get(id);
    const after = before && regroupedLock(before, holder, group);
    if (!after || after === before) return undefined;
    this.#locks.set(id, after);
    return id;
  }

  /** Forgets every lock of a source that is watched no more; gives back their ids. */
  forgetSource(source: string): string[] {
    const ids = [...this.#locks].flatMap(([id, lock]) => (lock.source === source ? [id] : []));
    for (const id of ids) this.#locks.delete(id);
    return ids;
  }

  get(id: string): LockState | undefined {
    return this.#locks.get(id);
  }

  entries(): IterableIterator<[string, LockState]> {
    return this.#locks.entries();
  }

  get size(): number {
    return this.#locks.size;
  }

  /** The same world, to go on from here: lock states are shared, since they never change. */
  copy(): World {
    return new World({ most: this.#most, locks: this.#locks });
  }

  #forgetOne(): string | undefined {
    for (const [id, lock] of this.#locks) {
      if (lock.holders.length === 0) {
        this.#locks.delete(id);
        return id;
      }
    }
    return undefined;
  }
}
