/**
 * Measures the longest turn of the event loop. Of a turn the smaller one counts of the time on the wall and the CPU time of
 * the process: so a turn is not longer because other processes wanted the processor.
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
