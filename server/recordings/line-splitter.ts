/**
 * Splits text that arrives in pieces into lines. The pieces of an unfinished line are joined only when its end arrives,
 * so each character is processed once, however many pieces a line has. If a line is too long, only its beginning is
 * kept: one character more than `longest`.
 */
export class LineSplitter {
  readonly #longest: number;
  #open: string[] = [];
  #kept = 0;
  /** Number of characters in the unfinished line. */
  restLength = 0;

  constructor(longest = Number.POSITIVE_INFINITY) {
    this.#longest = longest;
  }

  /** Returns the lines that end in this piece. */
  add(piece: string): string[] {
    const lines: string[] = [];
    let from = 0;
    for (let end = piece.indexOf('\n'); end !== -1; end = piece.indexOf('\n', from)) {
      this.#keep(piece.slice(from, end));
      lines.push(this.rest());
      this.#open = [];
      this.#kept = 0;
      this.restLength = 0;
      from = end + 1;
    }
    this.#keep(piece.slice(from));
    return lines;
  }

  /** The unfinished line. */
  rest(): string {
    return this.#open.length === 1 ? (this.#open[0] ?? '') : this.#open.join('');
  }

  #keep(part: string): void {
    if (part === '') return;
    this.restLength += part.length;
    const room = this.#longest + 1 - this.#kept;
    if (room <= 0) return;
    const kept = part.length > room ? part.slice(0, room) : part;
    this.#open.push(kept);
    this.#kept += kept.length;
  }
}
