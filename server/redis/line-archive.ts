const LENGTH_BYTES = 4;
/** Stands instead of a length where the next line did not fit before the end. */
const GO_ON_AT_START = 0xffff_ffff;
const DEFAULT_BYTES = 48 * 1024 * 1024;

/**
 * The newest lines, byte for byte, in memory of their own: there the garbage collector need not carry them around.
 *
 *   [length · bytes][length · bytes] … [go on at start]     written round and round
 */
export class LineArchive {
  readonly #ring: Buffer;
  /** Bytes written since the beginning: where the next line goes, rounds included. */
  #next = 0;

  constructor(bytes = DEFAULT_BYTES) {
    this.#ring = Buffer.alloc(bytes);
  }

  /** Keeps a line and gives back its place; undefined when it is longer than everything else together. */
  keep(buffer: Buffer, start: number, end: number): number | undefined {
    const needed = LENGTH_BYTES + end - start;
    const size = this.#ring.length;
    if (needed > size / 2) return undefined;
    let at = this.#next % size;
    if (at + needed > size) {
      if (at + LENGTH_BYTES <= size) this.#ring.writeUInt32LE(GO_ON_AT_START, at);
      this.#next += size - at;
      at = 0;
    }
    this.#ring.writeUInt32LE(end - start, at);
    buffer.copy(this.#ring, at + LENGTH_BYTES, start, end);
    const place = this.#next;
    this.#next += needed;
    return place;
  }

  /** The lines (latin-1) kept from a place on; undefined when they were written over. */
  linesFrom(place: number, count: number): string[] | undefined {
    const size = this.#ring.length;
    if (place < this.#next - size) return undefined;
    const lines: string[] = [];
    let at = place % size;
    for (let i = 0; i < count; i++) {
      const isAtEnd = at + LENGTH_BYTES > size || this.#ring.readUInt32LE(at) === GO_ON_AT_START;
      if (isAtEnd) at = 0;
      const from = at + LENGTH_BYTES;
      const to = from + this.#ring.readUInt32LE(at);
      lines.push(this.#ring.toString('latin1', from, to));
      at = to;
    }
    return lines;
  }
}
