/**
 * Measures the longest turn of the event loop. A turn counts with its elapsed time or the CPU time of the process,
 * whichever is smaller, so other processes on the same CPU do not make it longer.
 */
export class TurnMeter {
  #longestMs = 0;
  #isOn = false;

  start(): void {
    this.#longestMs = 0;
    this.#isOn = true;
    this.#next(performance.now(), process.cpuUsage());
  }

  /** The longest turn since the start, in milliseconds. */
  stop(): number {
    this.#isOn = false;
    return this.#longestMs;
  }

  #next(beganAt: number, began: NodeJS.CpuUsage): void {
    setImmediate(() => {
      if (!this.#isOn) return;
      const { user, system } = process.cpuUsage(began);
      const turnMs = Math.min(performance.now() - beganAt, (user + system) / 1000);
      this.#longestMs = Math.max(this.#longestMs, turnMs);
      this.#next(performance.now(), process.cpuUsage());
    });
  }
}
