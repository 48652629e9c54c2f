import { millisBetween, type RedisTime } from '../../../shared/base/time.ts';
import type { LockEvent } from '../../../shared/events/event.ts';
import { HotLoops } from '../../../shared/spans/hot-loops.ts';
import { type LockState, lockIdOf } from '../../../shared/state/lock-state.ts';
import type { Forgotten } from '../../../shared/state/replay/past-world.ts';
import { inSlices } from '../slices/in-slices.ts';
import type { EventQuery } from '../terms/queries.ts';
import type { BusyState } from './checkpoint.ts';
import { Checkpoints } from './checkpoints.ts';
import { DroppedLocks } from './dropped-locks.ts';
import { EventBlock } from './event-block.ts';
import type { EventHistory } from './event-history.ts';
import { type Found, searchBlocks } from './history-search.ts';
import type { Remembered } from './remembered.ts';

const LONGEST_MS = 60 * 60 * 1000;
/** How many marks of forgotten locks are kept. */
const MOST_MARKS = 1000;
/** The part of the room for blocks that are not packed, and its upper bound. */
const OPEN_PART = 0.2;
const MOST_OPEN_BYTES = 6 * 1024 * 1024;

/**
 * The newest events, oldest first: at most about `mostBytes`, and those of the last `longestMs` (one hour) or up to twice
 * as long.
 *
 *   blocks   ◆[packed][packed] … ◆[packed][open][open][open …
 *            └ dropped together ┘
 *
 * A checkpoint (◆) has the locks as they were before the event after it. Blocks are dropped up to the next checkpoint,
 * so that the oldest event has one before it. Within a block `seq` rises by one, so an event is found by the `seq` that
 * its block begins with.
 */
export class HistoryRing implements Omit<EventHistory, 'signals'> {
  #blocks: EventBlock[] = [];
  #forgotten: Forgotten[] = [];
  readonly #dropped = new DroppedLocks();
  readonly #checkpoints: Checkpoints;
  readonly #loops = new HotLoops();
  #mostBytes: number;
  readonly #longestMs: number;
  #bytes = 0;
  #openBytes = 0;
  /** Index of the oldest block that is not packed. */
  #open = 0;
  #nextSeq = 1;
  #isCapped = false;
  /** The state was set without an event, or a `seq` was skipped: the next event begins a block with a checkpoint. */
  #isRestored = false;
  /** The oldest events must be dropped, but no checkpoint is after them: the next event begins a block with one. */
  #needsCheckpoint = false;
  #beganAt: RedisTime | undefined;
  #earlier: Remembered['earlier'];
  #restoredAt: RedisTime[] = [];

  /** `standing` returns the state after the newest event; without it, no checkpoints are made. */
  constructor(mostBytes: number, standing?: () => BusyState, longestMs = LONGEST_MS) {
    this.#mostBytes = mostBytes;
    this.#longestMs = longestMs;
    this.#checkpoints = new Checkpoints(standing);
  }

  /** Takes the next event. `lock`: the state of its lock before the event. */
  add(event: LockEvent, lock?: LockState): void {
    let block = this.#blocks.at(-1);
    if (!block || block.isFull || this.#isRestored || this.#needsCheckpoint) {
      const isForced = this.#isRestored || this.#needsCheckpoint;
      this.#checkpoints.beginBlock(event.seq - 1, this.#blocks, this.#mostBytes, isForced);
      this.#isRestored = false;
      this.#needsCheckpoint = false;
      block = new EventBlock(event);
      this.#blocks.push(block);
      this.#count(block, 1);
      this.#pack();
      this.#drop(event.at);
    }
    this.#checkpoints.wake(lock);
    this.#count(block, -1);
    block.add(event, this.#loops.isRepeat(event));
    this.#count(block, 1);
    this.#nextSeq = event.seq + 1;
    if (!this.#dropped.areAllKnown) this.#dropped.noteKnown(lockIdOf(event), event.seq);
    if (this.bytes > this.#mostBytes) this.#drop(event.at);
  }

  /** Changes the room for events, and drops the oldest events if they no longer fit. */
  setRoom(mostBytes: number): void {
    this.#mostBytes = mostBytes;
    this.#pack();
    this.#drop(undefined);
  }

  /** Notes that nothing is known about some locks from here on. */
  forget(what: Omit<Forgotten, 'afterSeq'>): void {
    const afterSeq = this.#nextSeq - 1;
    this.#forgotten.push({ ...what, afterSeq });
    if (what.ids) this.#dropped.drop(what.ids, afterSeq, what.at);
    if (this.#forgotten.length > MOST_MARKS) this.#forgotten.shift();
  }

  /** The size of events and checkpoints in memory, in bytes. */
  get bytes(): number {
    return this.#bytes + this.#checkpoints.bytes;
  }

  /**
   * Goes on after an earlier part of the stream: the next event is at least number `seq`. `isRestored`: the state was
   * set. `at`: the instant of that state, if events before it are missing.
   */
  continueAt(seq: number, isRestored = true, at?: RedisTime): void {
    if (at !== undefined && this.#blocks.length > 0) this.#restoredAt.push(at);
    if (isRestored || seq > this.#nextSeq) this.#isRestored = true;
    this.#nextSeq = Math.max(this.#nextSeq, seq);
  }

  /**
   * Takes events from before the oldest one in memory, in order: those that detectors may need. Events before `from`
   * are unknown. Takes none if memory has dropped events, because those would be missing in between.
   */
  setEarlier(events: readonly LockEvent[], from: RedisTime): void {
    if (this.#isCapped) return;
    const blocks: EventBlock[] = [];
    for (const event of events) {
      let block = blocks.at(-1);
      if (!block || block.isFull) {
        block?.pack();
        block = new EventBlock(event);
        blocks.push(block);
      }
      block.add(event, false);
    }
    blocks.at(-1)?.pack();
    this.#earlier = { blocks, from };
  }

  /** Notes that watching began at this instant. Until events are dropped, memory goes back to this instant. */
  beginAt(at: RedisTime): void {
    this.#beganAt = at;
  }

  get oldestAt(): RedisTime | undefined {
    const first = this.#blocks[0]?.firstAt;
    if (this.#isCapped || this.#beganAt === undefined) return first;
    return first === undefined || this.#beganAt < first ? this.#beganAt : first;
  }

  oldestSeq(): number {
    return this.#blocks[0]?.firstSeq ?? this.#nextSeq;
  }

  nextSeq(): number {
    return this.#nextSeq;
  }

  count(): number {
    return this.#nextSeq - this.oldestSeq();
  }

  isCapped(): boolean {
    return this.#isCapped;
  }

  after(seq: number, limit: number): LockEvent[] | undefined {
    if (seq + 1 < this.oldestSeq() || seq >= this.#nextSeq) return undefined;
    const events: LockEvent[] = [];
    for (let index = this.#indexOf(seq + 1); index < this.#blocks.length && events.length < limit; index++) {
      const block = this.#blocks[index];
      if (block) events.push(...block.events().slice(Math.max(0, seq + 1 - block.firstSeq)));
    }
    return events.slice(0, limit);
  }

  get(seq: number): LockEvent | undefined {
    const block = this.#blockOf(seq);
    return block?.events()[seq - block.firstSeq];
  }

  /** Replaces the event with the same `seq` by a corrected one, if it is still kept. */
  amend(event: LockEvent): void {
    const block = this.#blockOf(event.seq);
    if (!block) return;
    this.#count(block, -1);
    block.amend(event);
    this.#checkpoints.regroup(event);
    this.#count(block, 1);
  }

  search(query: EventQuery, signal?: AbortSignal): Promise<Found> {
    return inSlices(searchBlocks([...this.#blocks], this.#nextSeq, query), signal);
  }

  /** The history as it is now. */
  remembered(): Remembered {
    const checkpoints = [...this.#checkpoints.all()];
    return {
      blocks: [...this.#blocks],
      checkpoints,
      forgotten: [...this.#forgotten],
      dropped: [...this.#dropped.all()],
      nextSeq: this.#nextSeq,
      oldestAt: this.oldestAt,
      earlier: this.#earlier,
      restoredAt: this.#restoredAt,
    };
  }

  #blockOf(seq: number): EventBlock | undefined {
    return seq < this.oldestSeq() || seq >= this.#nextSeq ? undefined : this.#blocks[this.#indexOf(seq)];
  }

  /** Index of the block that begins last at or before `seq`. */
  #indexOf(seq: number): number {
    let low = 0;
    let high = this.#blocks.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#blocks[middle]?.firstSeq ?? 0) <= seq) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  #pack(): void {
    const most = Math.min(MOST_OPEN_BYTES, this.#mostBytes * OPEN_PART);
    while (this.#openBytes > most && this.#open < this.#blocks.length - 1) {
      const block = this.#blocks[this.#open++];
      if (!block) break;
      this.#count(block, -1);
      block.pack();
      this.#count(block, 1);
    }
  }

  /**
   * Drops the oldest blocks while there is too little room. With `now`, also drops blocks that are too old. Blocks that
   * no checkpoint follows are dropped later, when the next block has begun with one.
   */
  #drop(now: RedisTime | undefined): void {
    const mustGo = (newest: EventBlock | undefined) => {
      const isOld = now !== undefined && newest !== undefined && millisBetween(newest.newestAt, now) > this.#longestMs;
      return this.bytes > this.#mostBytes || isOld;
    };
    this.#needsCheckpoint = false;
    for (let count = this.#oldestPart(); count > 0; count = this.#oldestPart()) {
      if (!mustGo(this.#blocks[count - 1])) return;
      for (const block of this.#blocks.splice(0, count)) this.#count(block, -1);
      this.#open = Math.max(0, this.#open - count);
      this.#isCapped = true;
      this.#earlier = undefined;
      const oldest = this.oldestSeq();
      this.#checkpoints.dropBefore(oldest);
      this.#dropped.dropBefore(oldest);
      this.#forgotten = this.#forgotten.filter(({ afterSeq }) => afterSeq >= oldest);
      const from = this.oldestAt ?? 0;
      this.#restoredAt = this.#restoredAt.filter((at) => at >= from);
    }
    this.#needsCheckpoint = this.#checkpoints.areMade && this.#blocks.length > 1 && mustGo(this.#blocks[0]);
  }

  /**
   * How many blocks are dropped together: those before the second checkpoint, or one if no checkpoints are made. 0 if
   * there is no second checkpoint, or if only the newest block is left.
   */
  #oldestPart(): number {
    const end = this.#checkpoints.endOfFirst();
    if (end === undefined) return this.#blocks.length > 1 && !this.#checkpoints.areMade ? 1 : 0;
    const count = this.#blocks.findIndex(({ firstSeq }) => firstSeq >= end);
    return count === -1 ? 0 : count;
  }

  #count(block: EventBlock, sign: 1 | -1): void {
    this.#bytes += sign * block.bytes;
    if (block.isOpen) this.#openBytes += sign * block.bytes;
  }
}
