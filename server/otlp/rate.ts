/** Allows `perSecond` items a second on average, and up to that many at once. */
export class Rate {
  readonly #perSecond: number;
  readonly #nowMs: () => number;
  #left: number;
  #at: number;

  constructor(perSecond: number, nowMs: () => number = () => performance.now()) {
    this.#perSecond = perSecond;
    this.#nowMs = nowMs;
    this.#left = perSecond;
    this.#at = nowMs();
  }

  /** Whether another item is allowed now. */
  isLeft(): boolean {
    const now = this.#nowMs();
    this.#left = Math.min(this.#perSecond, this.#left + ((now - this.#at) / 1000) * this.#perSecond);
    this.#at = now;
    return this.#left >= 1;
  }

  /** As `isLeft`, and counts the item if it is allowed. */
  take(): boolean {
    if (!this.isLeft()) return false;
    this.#left--;
    return true;
  }
}
