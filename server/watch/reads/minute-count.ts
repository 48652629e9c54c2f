const MINUTE_MS = 60_000;

/** Counts what happened in the last one to two minutes. */
export class MinuteCount {
  #since = 0;
  #count = 0;
  #before = 0;

  add(now: number): void {
    this.#turn(now);
    this.#count++;
  }

  at(now: number): number {
    this.#turn(now);
    return this.#count + this.#before;
  }

  #turn(now: number): void {
    const age = now - this.#since;
    if (age < MINUTE_MS) return;
    this.#before = age < 2 * MINUTE_MS ? this.#count : 0;
    this.#since = now;
    this.#count = 0;
  }
}
