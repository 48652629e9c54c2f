const LENGTH_BYTES = 4;
/** Written in place of a length if the next line did not fit before the end. */
const GO_ON_AT_START = 0xffff_ffff;
/** Set in the length of a line whose quotes and backslashes the server did not escape. */
const UNESCAPED = 0x8000_0000;

/** A line (latin-1), and whether the server that wrote it escaped quotes and backslashes. */
type KeptLine = { readonly line: string; readonly isUnescaped: boolean };
const DEFAULT_BYTES = 1024 * 1024;

/**
 * The newest lines, byte for byte, in one buffer, which the garbage collector does not have to move around.
 *
 *   [length · bytes][length · bytes] … [go on at start]     a ring: the newest lines overwrite the oldest
 */
export class LineArchive {
  #ring: Buffer;
  /** Bytes written since the beginning, over all rounds of the ring: the place of the next line. */
  #next = 0;
  /** Lines at earlier places were dropped when the memory limit changed. */
  #first = 0;

  constructor(bytes = DEFAULT_BYTES) {
    this.#ring = Buffer.alloc(bytes);
  }

  /** Changes how much memory the lines may take, in bytes. If that is a change, all lines kept so far are dropped. */
  setRoom(bytes: number): void {
    if (bytes === this.#ring.length) return;
    this.#ring = Buffer.alloc(bytes);
    this.#first = this.#next;
  }

  /** Keeps a line and returns its place; `undefined` if it is longer than half of the memory. */
  keep(buffer: Buffer, start: number, end: number, isUnescaped = false): number | undefined {
    const needed = LENGTH_BYTES + end - start;
    const size = this.#ring.length;
    if (needed > size / 2) return undefined;
    let at = this.#next % size;
    if (at + needed > size) {
      if (at + LENGTH_BYTES <= size) this.#ring.writeUInt32LE(GO_ON_AT_START, at);
      this.#next += size - at;
      at = 0;
    }
    this.#ring.writeUInt32LE(end - start + (isUnescaped ? UNESCAPED : 0), at);
    buffer.copy(this.#ring, at + LENGTH_BYTES, start, end);
    const place = this.#next;
    this.#next += needed;
    return place;
  }

  /** The lines kept from a place on; undefined if they were overwritten or dropped. */
  linesFrom(place: number, count: number): KeptLine[] | undefined {
    const size = this.#ring.length;
    if (place < Math.max(this.#first, this.#next - size)) return undefined;
    const lines: KeptLine[] = [];
    let at = place % size;
    for (let i = 0; i < count; i++) {
      const isAtEnd = at + LENGTH_BYTES > size || this.#ring.readUInt32LE(at) === GO_ON_AT_START;
      if (isAtEnd) at = 0;
      const from = at + LENGTH_BYTES;
      const word = this.#ring.readUInt32LE(at);
      const isUnescaped = word >= UNESCAPED;
      const to = from + (isUnescaped ? word - UNESCAPED : word);
      lines.push({ line: this.#ring.toString('latin1', from, to), isUnescaped });
      at = to;
    }
    return lines;
  }
}
