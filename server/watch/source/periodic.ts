/** Jobs that repeat while a connection is open. No job runs twice at the same time, however long it takes. */
export class Periodic {
  readonly #timers = new Set<NodeJS.Timeout>();

  /** Runs `job` now and every `ms`. Call `soon` of the result to run it earlier. */
  every(ms: number, job: () => Promise<void>): { soon: (afterMs: number) => void } {
    let isBusy = false;
    const run = () => {
      if (isBusy) return;
      isBusy = true;
      job()
        .catch(() => {}) // the connection is gone: its end is reported by the feed
        .finally(() => {
          isBusy = false;
        });
    };
    run();
    this.#timers.add(setInterval(run, ms));
    let early: NodeJS.Timeout | undefined;
    return {
      soon: (afterMs) => {
        if (early) return;
        early = setTimeout(() => {
          if (early) this.#timers.delete(early);
          early = undefined;
          run();
        }, afterMs);
        this.#timers.add(early);
      },
    };
  }

  stop(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }
}
