import type { LockEvent } from '../../../shared/events/event.ts';
import type { LockState } from '../../../shared/state/lock-state.ts';
import { inSlices } from '../slices/in-slices.ts';
import { type BusyState, Checkpoint } from './checkpoint.ts';
import type { EventBlock } from './event-block.ts';

/**
 * Events between two checkpoints take at least this many bytes, or 1/16 of the room if that is less. A block begins
 * with a checkpoint at the latest when the events since the last one take the part `MOST_PART` of the room.
 */
const LEAST_BYTES = 128 * 1024;
const MOST_PART = 1 / 8;
/** About how much smaller events become when they are compressed. */
const PACKED_PART = 1 / 8;

/**
 * Checkpoints between blocks of events, oldest first. The first one is the state before the oldest event.
 *
 *   ◆ block block block ◆ block block block block ◆ block
 *   └ dropped together ┘
 */
export class Checkpoints {
  #all: Checkpoint[] = [];
  #bytes = 0;
  readonly #standing: (() => BusyState) | undefined;

  /** `standing` returns the current state; without it, no checkpoints are made. */
  constructor(standing: (() => BusyState) | undefined) {
    this.#standing = standing;
  }

  get areMade(): boolean {
    return this.#standing !== undefined;
  }

  /** Their size in memory, in bytes, as of the newest block. */
  get bytes(): number {
    return this.#bytes;
  }

  all(): readonly Checkpoint[] {
    return this.#all;
  }

  /**
   * Begins a block after the event `seq`, with a checkpoint if enough has happened since the last one, or if
   * `isForced`.
   */
  beginBlock(seq: number, blocks: readonly EventBlock[], room: number, isForced = false): void {
    if (!this.#standing) return;
    const last = this.#all.at(-1);
    this.#bytes = this.#all.reduce((bytes, each) => bytes + each.bytes, 0);
    if (last && !isForced && bytesAfter(last.afterSeq, blocks) < this.#least(last, room)) return;
    const next = new Checkpoint(seq, this.#standing());
    this.#all.push(next);
    this.#bytes += next.bytes;
    void inSlices(next.packed());
  }

  /** Takes a lock as it is before its next event. */
  wake(lock: LockState | undefined): void {
    if (lock) this.#all.at(-1)?.wake(lock);
  }

  /** Takes an earlier event whose group has changed. */
  regroup(event: LockEvent): void {
    for (const each of this.#all) if (each.afterSeq >= event.seq) each.regroup(event);
  }

  /** The `seq` of the first event after the second checkpoint: everything before it is dropped together. */
  endOfFirst(): number | undefined {
    const second = this.#all[1];
    return second && second.afterSeq + 1;
  }

  /** Drops the checkpoints that are older than the state before the oldest event that is kept. */
  dropBefore(oldestSeq: number): void {
    this.#all = this.#all.filter(({ afterSeq }) => afterSeq + 1 >= oldestSeq);
    this.#bytes = this.#all.reduce((bytes, each) => bytes + each.bytes, 0);
  }

  /**
   * The fewest bytes of events before the next checkpoint: as many as the last checkpoint takes, so that checkpoints
   * take about as much memory as events, but never more than a part of the room.
   */
  #least({ bytes }: Checkpoint, room: number): number {
    return Math.min(Math.max(Math.min(LEAST_BYTES, room / 16), bytes), room * MOST_PART);
  }
}

function bytesAfter(seq: number, blocks: readonly EventBlock[]): number {
  let bytes = 0;
  for (let index = blocks.length - 1; index >= 0; index--) {
    const block = blocks[index];
    if (!block || block.firstSeq <= seq) break;
    bytes += block.isOpen ? block.bytes * PACKED_PART : block.bytes;
  }
  return bytes;
}
