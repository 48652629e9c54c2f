import { gunzipSync, gzip } from 'node:zlib';
import { millisBetween, type RedisTime } from '../../../shared/base/time.ts';

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
type Block = { text: string; isPacking?: true; packed: Buffer | undefined; lines: number; newestAt: RedisTime };
/** A range that can be read without the lines before it, since it begins with what was believed then. */
type Segment = {
  readonly startedAt: RedisTime;
  newestAt: RedisTime;
  readonly beliefChars: number;
  chars: number;
  /** The first block has only the beliefs. */
  readonly blocks: Block[];
};

/** Some whole lines of a ring. */
export type Piece = {
  readonly lines: number;
  /** The time of the newest line, or a later one. */
  readonly newestAt: RedisTime;
  /** The lines as a gzip member. */
  readonly packed: Buffer | undefined;
  text(): string;
};

/**
 * The newest recorded lines, compressed: about an hour, and at most the bytes of `setRoom`, by default 32 MB. The
 * newest segment always stays.
 *
 *   segment                       segment                       segment (open)
 *   [beliefs · block · block]     [beliefs · block · block]     [beliefs · block · text…
 *   └ dropped as a whole, oldest first
 */
export class RecordingRing {
  #limits: Limits;
  readonly #segments: Segment[] = [];
  #bytes = 0;

  constructor(limits: Partial<Limits> = {}) {
    this.#limits = { ...LIMITS, ...limits };
  }

  /** Changes how much memory the lines may take, in bytes. */
  setRoom(mostBytes: number): void {
    // A segment is dropped as a whole, so it must be a small part of the room.
    const segmentChars = Math.min(LIMITS.segmentChars, mostBytes);
    this.#limits = { ...this.#limits, mostBytes, segmentChars };
  }

  /**
   * Whether the next lines should begin a segment: the newest one is old, or full and four times as long as its
   * beliefs.
   */
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
    const block: Block = { text: beliefs, packed: undefined, lines: linesIn(beliefs), newestAt: at };
    this.#segments.push({ startedAt: at, newestAt: at, beliefChars: chars, chars, blocks: [block] });
    this.#bytes += chars;
    this.#pack(block);
    this.#dropOld(at);
  }

  /** Adds whole lines, the newest of them from `at`. */
  add(lines: string, at: RedisTime): void {
    const segment = this.#segments.at(-1);
    if (!segment) throw new Error('lines before the first beliefs');
    segment.chars += lines.length;
    segment.newestAt = at;
    this.#append(segment, lines, at);
    if (this.#bytes > this.#limits.mostBytes) this.#dropOld(at);
  }

  /** The size of the lines in memory, in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Redis time of the oldest line; `undefined` while the ring is empty. */
  get startedAt(): RedisTime | undefined {
    return this.#segments[0]?.startedAt;
  }

  /**
   * All lines that are kept, from the beginning of the segment that has `from`. Only the beliefs of the first segment
   * are included: those of later segments follow from the lines.
   */
  *pieces(from: RedisTime | undefined): Generator<Piece> {
    const first = from === undefined ? 0 : this.#segments.findLastIndex(({ startedAt }) => startedAt <= from);
    const kept = this.#segments
      .slice(Math.max(0, first))
      .flatMap(({ blocks }, n) => (n === 0 ? blocks : blocks.slice(1)).map((block) => ({ ...block })));
    for (const { lines, newestAt, packed, text } of kept) {
      yield { lines, newestAt, packed, text: () => (packed ? gunzipSync(packed).toString() : text) };
    }
  }

  #append({ blocks }: Segment, lines: string, at: RedisTime): void {
    let block = blocks.at(-1);
    if (!block || blocks.length === 1 || block.text.length > this.#limits.blockChars || block.packed) {
      this.#pack(block);
      block = { text: '', packed: undefined, lines: 0, newestAt: at };
      blocks.push(block);
    }
    block.text += lines;
    block.lines += linesIn(lines);
    block.newestAt = at;
    this.#bytes += lines.length;
  }

  #pack(block: Block | undefined): void {
    if (!block || block.packed || block.isPacking) return;
    block.isPacking = true;
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

function linesIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count++;
  return count;
}
