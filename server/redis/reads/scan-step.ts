const FIRST = 10;
const MOST = 500;
/** A reply of this size, or an answer that took this long, is as much as one step may bring. */
const GOOD_CHARACTERS = 16 * 1024;
const BAD_CHARACTERS = 64 * 1024;
const GOOD_MS = 5;
const BAD_MS = 20;

/** How many keys one SCAN looks at: few at first, more while replies are small and quick, fewer at once when they are not. */
export class ScanStep {
  #count = FIRST;

  get count(): number {
    return this.#count;
  }

  learn(characters: number, ms: number): void {
    if (characters > BAD_CHARACTERS || ms > BAD_MS) this.#count = Math.max(1, Math.floor(this.#count / 10));
    else if (characters < GOOD_CHARACTERS && ms < GOOD_MS) this.#count = Math.min(MOST, this.#count * 2);
  }
}
