/** How many texts are kept while a screen is shown. */
const MOST = 100;
/** How long the newest text is shown. */
const SHOWN_MS = 10_000;

/**
 * Log lines that may not be written while a screen is shown: the screen shows the newest one, and the newest 100 are
 * written at the end.
 */
export class Notices {
  #kept: string[] = [];
  #newestAt = Number.NEGATIVE_INFINITY;
  #dropped = 0;

  /** `at`: the time of a clock, in ms. */
  take(text: string, at: number): void {
    this.#kept.push(text);
    this.#newestAt = at;
    if (this.#kept.length <= MOST) return;
    this.#kept.shift();
    this.#dropped++;
  }

  /** The first line of the newest text, until 10 s after it was taken. */
  shownAt(at: number): string | undefined {
    return at - this.#newestAt < SHOWN_MS ? this.#kept.at(-1)?.split('\n')[0] : undefined;
  }

  /** Returns the texts that were kept, and forgets them. */
  takeAll(): string {
    const dropped = this.#dropped > 0 ? `${this.#dropped} earlier lines of the log are not listed.\n` : '';
    const text = dropped + this.#kept.join('');
    this.#kept = [];
    this.#dropped = 0;
    return text;
  }
}
