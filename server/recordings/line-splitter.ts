/**
 * Splits text that arrives in pieces into lines. The pieces of an unfinished line are joined only when its end arrives,
 * so each character is processed once, however many pieces a line has.
 */
export class LineSplitter {
  #open: string[] = [];
  /** Number of characters in the unfinished line. */
  restLength = 0;

  /** Returns the lines that end in this piece. */
  add(piece: string): string[] {
    const lines: string[] = [];
    let from = 0;
    for (let end = piece.indexOf('\n'); end !== -1; end = piece.indexOf('\n', from)) {
      this.#keep(piece.slice(from, end));
      lines.push(this.rest());
      this.#open = [];
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
    this.#open.push(part);
    this.restLength += part.length;
  }
}
