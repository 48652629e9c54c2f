import { isOfLock, type LockEvent } from '../events/event.ts';
import { keptLock } from './kept.ts';
import { countOf, LockCounts, type LockTally } from './lock-counts.ts';
import { isFree, type LockState, lockIdOf } from './lock-state.ts';
import { OldestWaits } from './oldest-waits.ts';
import { reduceLock } from './reduce.ts';
import { regroupedLock } from './rules/group-rules.ts';

/** Memory that a lock takes, and each of its holders, waiters and believers: measured on real events, rounded up. */
const LOCK_BYTES = 720;
const PERSON_BYTES = 220;

/** The locks seen so far, by id, within a limit of memory. */
export class World {
  /** In both maps, the lock that changed longest ago is first. */
  readonly #free = new Map<string, LockState>();
  readonly #busy = new Map<string, LockState>();
  /** The oldest wait of each source. */
  readonly oldestWaits = new OldestWaits();
  readonly #counts = new LockCounts();
  #mostBytes: number;
  #bytes = 0;
  #waiting = 0;
  #isCapped = false;

  constructor(options: { mostBytes?: number; locks?: Iterable<readonly [string, LockState]> } = {}) {
    this.#mostBytes = options.mostBytes ?? Number.POSITIVE_INFINITY;
    for (const [id, lock] of options.locks ?? []) this.#put(id, lock);
  }

  /**
   * Takes the next event; returns the id of the lock that it changed, and the ids of those evicted to make room. `id`:
   * that of its lock.
   */
  apply(event: LockEvent, id = lockIdOf(event)): { changed: string | undefined; evicted: readonly string[] } {
    if (!isOfLock(event)) return { changed: undefined, evicted: NONE };
    this.#put(id, reduceLock(this.get(id), event));
    return { changed: id, evicted: this.#bytes > this.#mostBytes ? this.#evict() : NONE };
  }

  /** Adds a hold or wait to a group, or removes it; returns the id of the lock if it changed. */
  regroup(id: string, holder: string, group: string | undefined): string | undefined {
    const before = this.get(id);
    const after = before && regroupedLock(before, holder, group);
    if (!after || after === before) return undefined;
    this.#put(id, after);
    return id;
  }

  /** Adds the states of locks that an earlier part of the stream left. */
  restore(locks: Iterable<readonly [string, LockState]>): void {
    for (const [id, lock] of locks) this.#put(id, lock);
  }

  /** Marks the lock as the one that changed last: among the free locks, or among the others, it is evicted last. */
  touch(id: string): void {
    const lock = this.get(id);
    if (lock) this.#put(id, lock);
  }

  /** Changes the memory limit; returns the ids of the locks evicted to meet it. */
  setRoom(mostBytes: number): readonly string[] {
    this.#mostBytes = mostBytes;
    return this.#bytes > mostBytes ? this.#evict() : NONE;
  }

  /** Drops every lock of a source that is no longer watched; returns their ids. */
  forgetSource(source: string): string[] {
    const ids = [...this.entries()].flatMap(([id, lock]) => (lock.source === source ? [id] : []));
    for (const id of ids) this.#delete(id);
    return ids;
  }

  /** Drops locks whose events are no longer followed; returns the ids of those that were present. */
  forget(ids: Iterable<string>): string[] {
    const known = [...ids].filter((id) => this.get(id) !== undefined);
    for (const id of known) this.#delete(id);
    this.#isCapped ||= known.length > 0;
    return known;
  }

  get(id: string): LockState | undefined {
    return this.#busy.get(id) ?? this.#free.get(id);
  }

  *entries(): Generator<[string, LockState]> {
    yield* this.#busy;
    yield* this.#free;
  }

  /** Locks that are held, waited for or listened to, or that have believers. */
  busy(): IterableIterator<LockState> {
    return this.#busy.values();
  }

  /** All other locks. */
  free(): IterableIterator<LockState> {
    return this.#free.values();
  }

  get size(): number {
    return this.#busy.size + this.#free.size;
  }

  /** Estimated memory of all locks. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The number of waiters of all locks, as `waitingFor` counts them. */
  get waiting(): number {
    return this.#waiting;
  }

  /** The number of locks, holders and waiters, by source and kind. */
  tallies(): readonly LockTally[] {
    return this.#counts.tallies();
  }

  /** True once a lock was evicted, or dropped by `forget`. */
  get isCapped(): boolean {
    return this.#isCapped;
  }

  /** A copy that can be continued separately. The lock states are shared, since they never change. */
  copy(): World {
    return new World({ mostBytes: this.#mostBytes, locks: this.entries() });
  }

  #put(id: string, state: LockState): void {
    this.#remove(id);
    const lock = keptLock(state);
    (isFree(lock) ? this.#free : this.#busy).set(id, lock);
    this.#bytes += bytesOfLock(lock);
    const count = countOf(lock);
    this.#waiting += count.waiters;
    this.#counts.add(lock, count);
    this.oldestWaits.set(lock.source, id, lock);
  }

  #delete(id: string): void {
    const before = this.#remove(id);
    if (before) this.oldestWaits.set(before.source, id, undefined);
  }

  #remove(id: string): LockState | undefined {
    const before = this.get(id);
    if (!before) return undefined;
    this.#bytes -= bytesOfLock(before);
    const count = countOf(before);
    this.#waiting -= count.waiters;
    this.#counts.remove(before, count);
    if (!this.#free.delete(id)) this.#busy.delete(id);
    return before;
  }

  /**
   * Evicts free locks until the limit is met, the one that changed longest ago first. If no lock is free, the locks may
   * take twice the limit before the first of them is evicted.
   */
  #evict(): string[] {
    const evicted: string[] = [];
    while (this.#bytes > this.#mostBytes && this.size > 1) {
      if (this.#free.size === 0 && this.#bytes < 2 * this.#mostBytes) break;
      const [id] = (this.#free.size > 0 ? this.#free : this.#busy).keys();
      if (id === undefined) break;
      this.#delete(id);
      evicted.push(id);
      this.#isCapped = true;
    }
    return evicted;
  }
}

const NONE: readonly string[] = [];

function bytesOfLock(lock: LockState): number {
  const people = lock.holders.length + lock.waiters.length + lock.believers.length;
  return LOCK_BYTES + PERSON_BYTES * people + 3 * lock.name.length;
}
