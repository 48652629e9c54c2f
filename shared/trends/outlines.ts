import type { LockEvent } from '../events/event.ts';
import type { LockKind } from '../events/types/lock-kind.ts';
import type { LockState } from '../state/lock-state.ts';
import { Ranges } from './ranges.ts';

/** Ranges are merged if the gap between them is below 1/800 of their age: less than 2 px in a picture of everything. */
const MERGE_DIVISOR = 800;
/** Without room, the divisor of the merge is halved repeatedly, down to this number. Then locks are dropped. */
const FEWEST_PARTS = 100;
/** The size of a lock in addition to its ranges, in units of 8 bytes. */
const LOCK_SIZE = 60;

type OutlineOfLock = {
  readonly source: string;
  readonly db: number;
  readonly name: string;
  readonly kind: LockKind;
  readonly held: Ranges;
  readonly waited: Ranges;
};

/** One lock in a range of time: the columns in which it was held, and waited for. See `Ranges.columns`. */
type LockColumns = Pick<OutlineOfLock, 'source' | 'db' | 'name' | 'kind'> & {
  readonly held: number[];
  readonly waited: number[];
};

/**
 * When each lock was held and waited for, kept as events arrive: a picture of a day needs no event to be read again.
 * Older times are less exact. Without room, all times become less exact first; then the locks that changed longest ago
 * are dropped.
 */
export class Outlines {
  /** The lock that changed longest ago is first. */
  readonly #locks = new Map<string, OutlineOfLock>();
  #mostNumbers: number;
  #numbers = 0;
  #now = 0;
  #parts = MERGE_DIVISOR;
  readonly #oldestAt: () => number;

  /** `oldestAt`: the oldest instant in memory. */
  constructor(mostBytes: number, oldestAt: () => number) {
    this.#mostNumbers = mostBytes / 8;
    this.#oldestAt = oldestAt;
  }

  setRoom(mostBytes: number): void {
    this.#mostNumbers = mostBytes / 8;
    this.#makeRoom();
  }

  /** Takes the next event; `lock`: the state of its lock after it. */
  take(event: LockEvent, id: string, lock: LockState | undefined): void {
    this.#now = Math.max(this.#now, event.at);
    if (event.type === 'blind-spot.began') this.endAll(event.at, event.source);
    if (lock) this.#set(id, lock, event.at);
  }

  #set(id: string, lock: LockState, at: number): void {
    const known = this.#locks.get(id);
    const [isHeld, isWaited] = [isTaken(lock), lock.waiters.length > 0 || lock.waitersBeyond > 0];
    if (!known && !isHeld && !isWaited) return;
    const { source, db, name, kind } = lock;
    const { held, waited } = known ?? { held: new Ranges(), waited: new Ranges() };
    const before = known ? sizeOf(known) : 0;
    held.set(isHeld, at);
    waited.set(isWaited, at);
    for (const each of [held, waited]) if (each.hasGrown) each.merge(this.#now, this.#oldestAt(), this.#parts);
    this.#locks.delete(id);
    const next = known && known.kind === kind ? known : { source, db, name, kind, held, waited };
    this.#locks.set(id, next);
    this.#numbers += sizeOf(next) - before;
    if (this.#numbers > this.#mostNumbers) this.#makeRoom();
  }

  /** Takes a lock as an earlier part of the stream left it at `at`. */
  restore(id: string, lock: LockState, at: number): void {
    this.#now = Math.max(this.#now, at);
    this.#set(id, lock, at);
  }

  /** From `at` on nothing is known any longer: about all locks, those of a source, or those with these ids. */
  endAll(at: number, source?: string, ids?: readonly string[]): void {
    const gone = ids ? ids.flatMap((id) => this.#locks.get(id) ?? []) : this.#locks.values();
    for (const lock of gone) {
      if (source !== undefined && lock.source !== source) continue;
      const before = sizeOf(lock);
      lock.held.set(false, at);
      lock.waited.set(false, at);
      this.#numbers += sizeOf(lock) - before;
    }
  }

  /** Each lock that was held or waited for in a range of time, in columns, the lock that changed last first. */
  *columns(from: number, to: number, count: number, now: number, name?: string): Generator<LockColumns> {
    for (const { held, waited, ...place } of [...this.#locks.values()].reverse()) {
      if (name !== undefined && place.name !== name) continue;
      const columns = { held: held.columns(from, to, count, now), waited: waited.columns(from, to, count, now) };
      if (columns.held.length + columns.waited.length > 0) yield { ...place, ...columns };
    }
  }

  #makeRoom(): void {
    while (this.#numbers > this.#mostNumbers * 0.8 && this.#parts > FEWEST_PARTS) {
      this.#parts /= 2;
      this.#numbers = 0;
      for (const lock of this.#locks.values()) {
        for (const each of [lock.held, lock.waited]) each.merge(this.#now, this.#oldestAt(), this.#parts);
        this.#numbers += sizeOf(lock);
      }
    }
    for (const [id, lock] of this.#locks) {
      if (this.#numbers <= this.#mostNumbers * 0.8) return;
      this.#numbers -= sizeOf(lock);
      this.#locks.delete(id);
    }
  }
}

function isTaken({ holders, holdersBeyond, latch }: LockState): boolean {
  return holders.length > 0 || holdersBeyond > 0 || (latch?.count ?? 0) > 0;
}

function sizeOf({ held, waited }: OutlineOfLock): number {
  return LOCK_SIZE + held.size + waited.size;
}
