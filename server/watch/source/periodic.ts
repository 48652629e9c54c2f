import { startTicks, startTimer, stopTimer, type Timer } from '../../redis/connection/surroundings.ts';

/** A job that repeats. `soon` runs it one extra time, before its next turn. */
export type Repeated = { soon(afterMs: number): void };

/** Jobs that repeat while a connection is open. No job runs twice at the same time, however long it takes. */
export class Periodic {
  readonly #timers = new Set<Timer>();

  /** Runs `job` now and every `ms`. */
  every(ms: number, job: () => Promise<void>): Repeated {
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
    this.#timers.add(startTicks(run, ms));
    let early: Timer | undefined;
    return {
      soon: (afterMs) => {
        if (early) return;
        early = startTimer(() => {
          if (early) this.#timers.delete(early);
          early = undefined;
          run();
        }, afterMs);
        this.#timers.add(early);
      },
    };
  }

  stop(): void {
    for (const timer of this.#timers) stopTimer(timer);
    this.#timers.clear();
  }
}
