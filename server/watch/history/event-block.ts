import { hashOf } from '../../../shared/base/name-hash.ts';
import type { RedisTime } from '../../../shared/base/time.ts';
import { isOfSource, type LockEvent } from '../../../shared/events/event.ts';
import { PackedJson } from '../slices/packed-json.ts';
import { bytesOf } from '../terms/bytes-of.ts';

const MOST_EVENTS = 256;
const MOST_BYTES = 256 * 1024;
/** Bytes of a block without its events. */
const BLOCK_BYTES = 600;

/**
 * Consecutive events, with an index of their locks and types.
 *
 *   open      events as objects; takes more until it is full
 *   packed    the same as compressed JSON, outside the heap: about 50 bytes an event
 */
export class EventBlock {
  readonly firstSeq: number;
  readonly firstAt: RedisTime;
  /** Redis time of the newest event in the block. */
  newestAt: RedisTime;
  /** Redis time of the oldest event in the block: an inferred event may be dated before the first one. */
  oldestAt: RedisTime;
  /** Whether the block has events about a whole source. */
  hasOfSource = false;
  #count = 0;
  #bytes = BLOCK_BYTES;
  #events: LockEvent[] | undefined = [];
  #packed: PackedJson<LockEvent[]> | undefined;
  /** Hashes of the names of the locks in the block. */
  #locks: Set<number> | Int32Array = new Set<number>();
  readonly #types = new Set<LockEvent['type']>();
  /** Which events, by their place in the block, repeat the first attempt of a dense run. */
  readonly #repeats = new Uint8Array(MOST_EVENTS / 8);

  constructor(first: LockEvent) {
    this.firstSeq = first.seq;
    this.firstAt = first.at;
    this.newestAt = first.at;
    this.oldestAt = first.at;
  }

  get count(): number {
    return this.#count;
  }

  get lastSeq(): number {
    return this.firstSeq + this.#count - 1;
  }

  /** The size in memory, in bytes; an estimate while the block is open. */
  get bytes(): number {
    return this.#bytes;
  }

  get isFull(): boolean {
    return this.#count >= MOST_EVENTS || this.#bytes > MOST_BYTES;
  }

  /** Whether the events are still objects. */
  get isOpen(): boolean {
    return this.#events !== undefined;
  }

  /**
   * Adds an event. `isRepeat`: an attempt of a dense run that differs from the first one only in its numbers and its
   * connection.
   */
  add(event: LockEvent, isRepeat: boolean): void {
    if (!this.#events) throw new Error('no event can be added to a packed block');
    if (isRepeat) this.#repeats[this.#count >> 3]! |= 1 << (this.#count & 7);
    this.#events.push(event);
    this.#count++;
    this.#bytes += bytesOf(event);
    this.#note(event);
  }

  /** Compresses the events. */
  pack(): void {
    const events = this.#events;
    if (!events) return;
    this.#packed = new PackedJson(events);
    this.#events = undefined;
    this.#locks = Int32Array.from(this.#locks);
    this.#bytes = BLOCK_BYTES + this.#packed.bytes + 4 * this.#locks.length;
  }

  /** The events of the block, oldest first. */
  events(): readonly LockEvent[] {
    return this.#events ?? this.#packed?.value() ?? [];
  }

  isRepeat(place: number): boolean {
    return ((this.#repeats[place >> 3] ?? 0) & (1 << (place & 7))) !== 0;
  }

  /** Returns false if the block certainly has no event of this lock. */
  mayHaveLock(name: string): boolean {
    const hash = hashOf(name);
    return this.#locks instanceof Set ? this.#locks.has(hash) : this.#locks.includes(hash);
  }

  hasType(type: LockEvent['type']): boolean {
    return this.#types.has(type);
  }

  /** Replaces the event that has the same `seq`. */
  amend(event: LockEvent): void {
    const events = [...this.events()];
    const place = event.seq - this.firstSeq;
    const before = events[place];
    if (!before) return;
    events[place] = event;
    this.#repeats[place >> 3]! &= ~(1 << (place & 7));
    const isPacked = this.#events === undefined;
    this.#bytes += bytesOf(event) - bytesOf(before);
    this.#events = events;
    this.#note(event);
    if (isPacked) this.pack();
  }

  #note(event: LockEvent): void {
    if (event.at > this.newestAt) this.newestAt = event.at;
    if (event.at < this.oldestAt) this.oldestAt = event.at;
    this.#types.add(event.type);
    if (isOfSource(event)) {
      this.hasOfSource = true;
      return;
    }
    const hash = hashOf(event.lock);
    if (this.#locks instanceof Set) this.#locks.add(hash);
    else if (!this.#locks.includes(hash)) this.#locks = Int32Array.from([...this.#locks, hash]);
  }
}
