const FIRST = 10;
const MOST = 500;
/** Below the good size and time of a reply, steps become larger; above a bad one, smaller. */
const GOOD_CHARACTERS = 16 * 1024;
const BAD_CHARACTERS = 64 * 1024;
const GOOD_MS = 5;
const BAD_MS = 20;

/** How many keys one SCAN looks at: few at first, more while replies are small and quick, fewer if they are not. */
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
