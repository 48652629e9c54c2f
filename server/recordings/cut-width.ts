/**
 * Knows the width at which all lines of a text were cut, as by `cut -c1-120` or the window of a terminal. A line of that width may
 * have lost its last words, although all of its quotes are closed; a blank at its end may have been removed.
 *
 *   1795000000.000111 [0 lua] "hincrby" "stock:7"            cut behind a word: the holder is missing
 *   1795000000.800037 [0 10.0.0.12:40002] "EVALS             cut within a word: this shows the width
 */
export class CutWidth {
  #most = 0;
  #hasUnreadable = false;

  /** Takes the width of each line. */
  note(width: number, isReadable: boolean): void {
    if (width > this.#most) this.#hasUnreadable = false;
    this.#most = Math.max(this.#most, width);
    if (width === this.#most && !isReadable) this.#hasUnreadable = true;
  }

  isCut(width: number): boolean {
    return this.#hasUnreadable && width >= this.#most - 1;
  }
}
