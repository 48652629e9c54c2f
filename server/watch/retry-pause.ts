const FIRST_MS = 250;
const LAST_MS = 10_000;

/** The pauses between tries to connect: each twice as long as the one before, up to ten seconds. */
export class RetryPause {
  #nextMs = FIRST_MS;
  #wake: () => void = () => {};

  /** Settles when the pause is over, or at once when it is ended. */
  rest(): Promise<void> {
    const ms = this.#nextMs;
    this.#nextMs = Math.min(ms * 2, LAST_MS);
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** It worked: the next pause is a short one again. */
  reset(): void {
    this.#nextMs = FIRST_MS;
  }

  end(): void {
    this.#wake();
  }
}
