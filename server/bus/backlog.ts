import type { BlockEntry, GapEntry, GapReason } from './bus-entry.ts';

/** How much may wait for the bus, and for how long. */
export type Limits = { readonly bytes: number; readonly ms: number };
export const LIMITS: Limits = { bytes: 64 * 1024 ** 2, ms: 60_000 };

type Waiting = { readonly block: BlockEntry; readonly since: number };
type Dropped = Omit<GapEntry, 'kind' | 'state'>;

/**
 * Blocks that the bus has not taken yet, oldest first. Blocks that are too many or too old are dropped, the oldest
 * first, and become a gap.
 */
export class Backlog {
  readonly #limits: Limits;
  readonly #waiting: Waiting[] = [];
  #bytes = 0;
  #gap: Dropped | undefined;

  constructor(limits: Limits = LIMITS) {
    this.#limits = limits;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** The lines that were dropped before the oldest block. */
  get gap(): Dropped | undefined {
    return this.#gap;
  }

  get first(): BlockEntry | undefined {
    return this.#waiting[0]?.block;
  }

  /** Takes a block. `reason`: why the bus takes nothing, if blocks have to be dropped. */
  add(block: BlockEntry, nowMs: number, reason: GapReason): void {
    this.#waiting.push({ block, since: nowMs });
    this.#bytes += block.bytes.length;
    this.trim(nowMs, reason);
  }

  /** Drops blocks that are too many or too old. */
  trim(nowMs: number, reason: GapReason): void {
    for (let first = this.#waiting[0]; first; first = this.#waiting[0]) {
      if (this.#bytes <= this.#limits.bytes && first.since >= nowMs - this.#limits.ms) return;
      this.#drop(reason);
    }
  }

  /** Notes that the bus has everything up to this line. */
  confirm(seq: number): void {
    if (this.#gap && this.#gap.last <= seq) this.#gap = undefined;
    else if (this.#gap && this.#gap.first <= seq) this.#gap = { ...this.#gap, first: seq + 1 };
    for (let first = this.first; first && first.last <= seq; first = this.first) this.#shift();
  }

  #drop(reason: GapReason): void {
    const block = this.#shift();
    if (!block) return;
    const { run, first, last, from, to, event } = block;
    const gap = this.#gap ?? { run, first, last, from, to, event, reason };
    this.#gap = { ...gap, last, event, from: Math.min(gap.from, from), to: Math.max(gap.to, to) };
  }

  #shift(): BlockEntry | undefined {
    const block = this.#waiting.shift()?.block;
    this.#bytes -= block?.bytes.length ?? 0;
    return block;
  }
}
