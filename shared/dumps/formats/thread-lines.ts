/**
 * Notices lines that do not belong to the thread before them: those after an empty line. They are of another text, or of a
 * thread whose head is missing. Some programs write an empty line after each line; then only an unknown line shows that.
 */
export class ThreadLines {
  #isBlank = false;
  /** Whether the line before was the head of a thread. */
  #isHead = false;
  /** Whether the lines of the thread follow each other. */
  #isDense = false;

  /**
   * Call it for each line. Returns whether the line belongs to something else than the thread. (The head of a thread
   * does not.)
   */
  isOther(line: string, isKnown: boolean): boolean {
    const isBlank = line.trim() === '';
    if (this.#isHead) this.#isDense = !isBlank;
    const isOther = !isBlank && this.#isBlank && (this.#isDense || (!isKnown && /^\S/.test(line)));
    this.#isBlank = isBlank;
    this.#isHead = false;
    return isOther;
  }

  /** The line was the head of a thread. */
  begin(): void {
    this.#isHead = true;
    this.#isDense = false;
  }
}
