const MOST_LAG_MS = 15_000;

/** Measures how long a line is under way: from sending a command until it has come through the stream. */
export class StreamLag {
  readonly #token: string;
  #seen: (() => void) | undefined;

  constructor(nonce: string) {
    this.#token = `lockscope:lag:${nonce}`;
  }

  /** Milliseconds until the line of a command that carries the token comes by; 15 s at most. */
  measure(send: (token: string) => Promise<unknown>): Promise<number> {
    const sentAt = Date.now();
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#seen?.(), MOST_LAG_MS);
      this.#seen = () => {
        clearTimeout(timer);
        this.#seen = undefined;
        resolve(Date.now() - sentAt);
      };
      send(this.#token).catch(() => this.#seen?.());
    });
  }

  /** A line came by: its first argument. */
  seen(word: string | undefined): void {
    if (word === this.#token) this.#seen?.();
  }
}
