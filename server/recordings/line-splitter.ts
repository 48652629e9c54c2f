/**
 * Splits text that arrives in pieces into lines. Each character is looked at once, however many pieces a line has: the
 * pieces of an open line are joined only when its end has arrived.
 */
export class LineSplitter {
  #open: string[] = [];
  /** Characters of the line whose end has not arrived. */
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

  /** The line whose end has not arrived. */
  rest(): string {
    return this.#open.length === 1 ? (this.#open[0] ?? '') : this.#open.join('');
  }

  #keep(part: string): void {
    if (part === '') return;
    this.#open.push(part);
    this.restLength += part.length;
  }
}
