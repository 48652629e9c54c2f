import { hashOf } from '../../../shared/base/name-hash.ts';
import type { LockEvent } from '../../../shared/events/event.ts';
import type { BlindSpot } from '../../../shared/state/blind-spots.ts';
import { idOf, isFree, type LockState, lockIdOf } from '../../../shared/state/lock-state.ts';
import { regroupedLock } from '../../../shared/state/rules/group-rules.ts';
import type { Sliced } from '../slices/in-slices.ts';
import { PackedJson } from '../slices/packed-json.ts';

/** How many locks, and how many of their holders and waiters, are compressed together. */
const MOST_LOCKS = 256;
const MOST_THREADS = 1000;
/** About how many bytes a lock, and a holder or waiter, takes in compressed JSON. */
const LOCK_BYTES = 70;
const THREAD_BYTES = 50;
const PART_BYTES = 200;
const MOST_REGROUPED = 10_000;

/** The locks that are held or waited for at an instant, and the sources that are not watched then. */
export type BusyState = { readonly locks: readonly LockState[]; readonly blind: readonly BlindSpot[] };

/**
 * The locks at one place in the stream, so that later instants need only the events from that place on.
 *
 *   busy     held or waited for at that place
 *   woken    free at that place, and changed before the next checkpoint
 *
 * Any other lock that was known at that place has not changed since, or is in `woken` of a later checkpoint.
 */
export class Checkpoint {
  readonly afterSeq: number;
  readonly blind: readonly BlindSpot[];
  readonly #busy: Part[];
  readonly #woken: Part[] = [];
  readonly #regrouped: { id: string; holder: string; group: string | undefined }[] = [];

  constructor(afterSeq: number, { locks, blind }: BusyState) {
    this.afterSeq = afterSeq;
    this.blind = blind;
    this.#busy = partsOf(locks);
  }

  /** The size in memory, in bytes; an estimate for parts that are not compressed yet. */
  get bytes(): number {
    return [...this.#busy, ...this.#woken].reduce((bytes, part) => bytes + part.bytes, 0);
  }

  /** Takes a lock as it is before its next event, if it is free and has not changed since this place. */
  wake(lock: LockState): void {
    if (lock.changedSeq > this.afterSeq || !isFree(lock)) return;
    const last = this.#woken.at(-1);
    if (last?.add(lock)) return;
    last?.pack();
    this.#woken.push(new Part([lock]));
  }

  /** Notes that a hold or wait that began before this place belongs to a group, or to no group. */
  regroup(event: LockEvent): void {
    if (!('holder' in event) || event.holder === undefined || this.#regrouped.length >= MOST_REGROUPED) return;
    this.#regrouped.push({ id: lockIdOf(event), holder: event.holder, group: event.group });
  }

  /** Compresses the busy locks, one part in each step. */
  *packed(): Sliced<void> {
    for (const part of this.#busy) {
      part.pack();
      yield;
    }
  }

  /** The locks that were held or waited for; with a name, at least those with that name. */
  *busy(name?: string): Generator<readonly LockState[]> {
    for (const part of this.#busy) {
      if (part.mayHaveLock(name)) yield part.locks().map((lock) => this.#corrected(lock));
    }
  }

  /** The locks that were free and have changed since, up to the next checkpoint. */
  *woken(name?: string): Generator<readonly LockState[]> {
    for (const part of this.#woken) if (part.mayHaveLock(name)) yield part.locks();
  }

  #corrected(lock: LockState): LockState {
    if (this.#regrouped.length === 0) return lock;
    const id = idOf(lock);
    let corrected = lock;
    for (const each of this.#regrouped) {
      if (each.id === id) corrected = regroupedLock(corrected, each.holder, each.group);
    }
    return corrected;
  }
}

/** Some locks: as objects, or as compressed JSON outside the heap. */
class Part {
  count = 0;
  bytes = PART_BYTES;
  #people = 0;
  #locks: LockState[] | undefined = [];
  #packed: PackedJson<LockState[]> | undefined;
  /** Hashes of the names of the locks; empty until the part is packed. */
  #names = new Int32Array();

  constructor(locks: readonly LockState[]) {
    for (const lock of locks) this.add(lock);
  }

  /** Returns false if the part is full or packed. */
  add(lock: LockState): boolean {
    if (!this.#locks) return false;
    const people = peopleOf(lock);
    if (this.count > 0 && (this.count >= MOST_LOCKS || this.#people + people > MOST_THREADS)) return false;
    this.#locks.push(lock);
    this.#people += people;
    this.count++;
    this.bytes += LOCK_BYTES + THREAD_BYTES * people + lock.name.length;
    return true;
  }

  pack(): void {
    if (!this.#locks) return;
    this.#packed = new PackedJson(this.#locks);
    this.#names = Int32Array.from(this.#locks, ({ name }) => hashOf(name));
    this.#locks = undefined;
    this.bytes = PART_BYTES + this.#packed.bytes + 4 * this.#names.length;
  }

  locks(): readonly LockState[] {
    return this.#locks ?? this.#packed?.value() ?? [];
  }

  mayHaveLock(name: string | undefined): boolean {
    if (name === undefined) return true;
    return this.#locks ? this.#locks.some((lock) => lock.name === name) : this.#names.includes(hashOf(name));
  }
}

function partsOf(locks: readonly LockState[]): Part[] {
  const parts: Part[] = [];
  for (const lock of locks) if (!parts.at(-1)?.add(lock)) parts.push(new Part([lock]));
  return parts;
}

function peopleOf(lock: LockState): number {
  return lock.holders.length + lock.waiters.length + lock.believers.length;
}
