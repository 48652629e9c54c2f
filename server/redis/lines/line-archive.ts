const LENGTH_BYTES = 4;
/** Set in the length of a line whose quotes and backslashes the server did not escape. */
const UNESCAPED = 0x8000_0000;

/** A line (latin-1), and whether the server that wrote it escaped quotes and backslashes. */
type KeptLine = { readonly line: string; readonly isUnescaped: boolean };
const DEFAULT_BYTES = 1024 * 1024;

/**
 * The newest lines, byte for byte, in one buffer, which the garbage collector does not have to move around.
 *
 *   [length · bytes][length · bytes] …     a ring: the newest lines overwrite the oldest
 *
 * A line may begin at the end of the ring and go on at its start. So a place does not depend on the size of the ring.
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

  /** Changes how much memory the lines may take, in bytes. The newest lines that fit are kept. */
  setRoom(bytes: number): void {
    const before = this.#ring;
    if (bytes === before.length) return;
    const ring = Buffer.alloc(bytes);
    this.#first = Math.max(this.#first, this.#next - Math.min(bytes, before.length));
    for (let place = this.#first; place < this.#next; ) {
      const from = place % before.length;
      const copied = before.copy(ring, place % bytes, from, Math.min(before.length, from + this.#next - place));
      place += copied;
    }
    this.#ring = ring;
  }

  /** Keeps a line and returns its place; `undefined` if the line needs more than half of the memory. */
  keep(buffer: Buffer, start: number, end: number, isUnescaped = false): number | undefined {
    const size = this.#ring.length;
    const needed = LENGTH_BYTES + end - start;
    if (needed > size / 2) return undefined;
    const place = this.#next;
    this.#writeWord(place % size, end - start + (isUnescaped ? UNESCAPED : 0));
    const written = buffer.copy(this.#ring, (place + LENGTH_BYTES) % size, start, end);
    if (start + written < end) buffer.copy(this.#ring, 0, start + written, end);
    this.#next += needed;
    return place;
  }

  /** The `count` lines from a place on; undefined if the first one was overwritten or dropped. */
  linesFrom(place: number, count: number): KeptLine[] | undefined {
    if (place < Math.max(this.#first, this.#next - this.#ring.length)) return undefined;
    const lines: KeptLine[] = [];
    let at = place;
    for (let i = 0; i < count; i++) {
      const word = this.#wordAt(at);
      const isUnescaped = word >= UNESCAPED;
      const length = isUnescaped ? word - UNESCAPED : word;
      lines.push({ line: this.#textAt(at + LENGTH_BYTES, length), isUnescaped });
      at += LENGTH_BYTES + length;
    }
    return lines;
  }

  #writeWord(at: number, word: number): void {
    if (at + LENGTH_BYTES <= this.#ring.length) this.#ring.writeUInt32LE(word, at);
    else for (let i = 0; i < LENGTH_BYTES; i++) this.#ring[(at + i) % this.#ring.length] = word >>> (8 * i);
  }

  #wordAt(place: number): number {
    let word = 0;
    for (let i = 0; i < LENGTH_BYTES; i++) word += (this.#ring[(place + i) % this.#ring.length] ?? 0) * 256 ** i;
    return word;
  }

  #textAt(place: number, length: number): string {
    const at = place % this.#ring.length;
    const text = this.#ring.toString('latin1', at, at + length);
    return text.length === length ? text : text + this.#ring.toString('latin1', 0, length - text.length);
  }
}
