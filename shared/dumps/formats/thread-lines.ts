/**
 * Notices lines that do not belong to the thread before them: those after an empty line. They belong to another text,
 * or to a thread whose head is missing. Some programs write an empty line after each line: then only lines of an
 * unknown form are noticed.
 */
export class ThreadLines {
  #isBlank = false;
  /** Whether the line before was the head of a thread. */
  #isHead = false;
  /** The line after the head of the thread was not empty, so an empty line is assumed to end the thread. */
  #isDense = false;

  /**
   * Call it for each line. Returns whether the line does not belong to the thread before it. For the head of a thread,
   * the answer has no meaning.
   */
  isOther(line: string, isKnown: boolean): boolean {
    const isBlank = line.trim() === '';
    if (this.#isHead) this.#isDense = !isBlank;
    const isOther = !isBlank && this.#isBlank && (this.#isDense || (!isKnown && /^\S/.test(line)));
    this.#isBlank = isBlank;
    this.#isHead = false;
    return isOther;
  }

  /** Call it after a line that was the head of a thread. */
  begin(): void {
    this.#isHead = true;
    this.#isDense = false;
  }
}
