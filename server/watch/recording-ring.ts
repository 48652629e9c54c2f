import { gunzipSync, gzip } from 'node:zlib';
import { millisBetween, type RedisTime } from '../../shared/base/time.ts';

type Limits = {
  readonly mostBytes: number;
  readonly longestMs: number;
  readonly blockChars: number;
  readonly segmentChars: number;
  readonly segmentMs: number;
};

const LIMITS: Limits = {
  mostBytes: 32 * 1024 * 1024,
  longestMs: 60 * 60 * 1000,
  blockChars: 256 * 1024,
  segmentChars: 2 * 1024 * 1024,
  segmentMs: 10 * 60 * 1000,
};

/** Lines that are compressed together; `packed` once that is done. */
type Block = { text: string; packed: Buffer | undefined };
/** A stretch that opens by itself, since it begins with what was believed then. */
type Segment = {
  readonly startedAt: RedisTime;
  newestAt: RedisTime;
  readonly beliefChars: number;
  chars: number;
  readonly blocks: Block[];
};

/**
 * The newest recorded lines, compressed: at most 32 MB or one hour, whichever is smaller.
 *
 *   segment                       segment                       segment (open)
 *   [beliefs · block · block]     [beliefs · block · block]     [beliefs · block · text…
 *   └ dropped as a whole, oldest first
 */
export class RecordingRing {
  readonly #limits: Limits;
  readonly #segments: Segment[] = [];
  #bytes = 0;

  constructor(limits: Partial<Limits> = {}) {
    this.#limits = { ...LIMITS, ...limits };
  }

  /** Whether the next lines should begin a segment: writing beliefs costs, so never more than a quarter of all. */
  isDue(at: RedisTime): boolean {
    const segment = this.#segments.at(-1);
    if (!segment) return true;
    if (segment.chars === segment.beliefChars) return false;
    const isOld = millisBetween(segment.startedAt, at) > this.#limits.segmentMs;
    return isOld || segment.chars > Math.max(this.#limits.segmentChars, 4 * segment.beliefChars);
  }

  /** Begins a segment with what is believed at `at`, as whole lines. */
  begin(beliefs: string, at: RedisTime): void {
    this.#pack(this.#segments.at(-1)?.blocks.at(-1));
    const chars = beliefs.length;
    this.#segments.push({ startedAt: at, newestAt: at, beliefChars: chars, chars, blocks: [] });
    this.#append(beliefs);
    this.#dropOld(at);
  }

  /** Adds whole lines, the newest of them from `at`. */
  add(lines: string, at: RedisTime): void {
    const segment = this.#segments.at(-1);
    if (!segment) throw new Error('lines before the first beliefs');
    segment.chars += lines.length;
    segment.newestAt = at;
    this.#append(lines);
    if (this.#bytes > this.#limits.mostBytes) this.#dropOld(at);
  }

  /** What it takes in memory. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Redis time of the oldest line; undefined while there is none. */
  get startedAt(): RedisTime | undefined {
    return this.#segments[0]?.startedAt;
  }

  /**
   * All lines there are now, from the beginning of the segment that holds `from`, a piece of whole lines at a time.
   * Only the first segment's beliefs are among them: further on they are known.
   */
  *pieces(from: RedisTime | undefined): Generator<string> {
    const first = from === undefined ? 0 : this.#segments.findLastIndex(({ startedAt }) => startedAt <= from);
    const kept = this.#segments.slice(Math.max(0, first)).map(({ beliefChars, blocks }, index) => ({
      skipped: index > 0 ? beliefChars : 0,
      blocks: blocks.map((block) => ({ ...block })),
    }));
    for (const { skipped, blocks } of kept) {
      for (const [n, { packed, text }] of blocks.entries()) {
        const lines = packed ? gunzipSync(packed).toString() : text;
        yield n === 0 ? lines.slice(skipped) : lines;
      }
    }
  }

  #append(lines: string): void {
    const blocks = this.#segments.at(-1)?.blocks ?? [];
    let block = blocks.at(-1);
    if (!block || block.text.length > this.#limits.blockChars || block.packed) {
      this.#pack(block);
      block = { text: '', packed: undefined };
      blocks.push(block);
    }
    block.text += lines;
    this.#bytes += lines.length;
  }

  #pack(block: Block | undefined): void {
    if (!block || block.packed) return;
    const { length } = block.text;
    gzip(block.text, { level: 1 }, (error, packed) => {
      if (error) throw error;
      block.packed = packed;
      block.text = '';
      if (this.#segments.some(({ blocks }) => blocks.includes(block))) this.#bytes += packed.length - length;
    });
  }

  #dropOld(now: RedisTime): void {
    while (this.#segments.length > 1 && this.#isOver(now)) {
      for (const block of this.#segments.shift()?.blocks ?? []) {
        this.#bytes -= block.packed?.length ?? block.text.length;
      }
    }
  }

  #isOver(now: RedisTime): boolean {
    const oldest = this.#segments[0];
    return (
      this.#bytes > this.#limits.mostBytes ||
      (oldest && millisBetween(oldest.newestAt, now) > this.#limits.longestMs) === true
    );
  }
}
