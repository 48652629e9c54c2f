/**
 * A counting semaphore between one subscription and the threads that sleep on it.
 *
 *   message 0    ends the sleep of one thread, the one that sleeps longest
 *   nobody asleep: the wake-up is kept, and the next thread to sleep does not sleep at all
 */
export class WakeUps {
  #kept = 0;
  #sleepers: (() => void)[] = [];

  /** Lets one thread go on. */
  release(): void {
    const wake = this.#sleepers.shift();
    if (wake) wake();
    else this.#kept++;
  }

  /** Lets everybody who sleeps now go on; keeps nothing. */
  releaseAll(): void {
    for (const wake of [...this.#sleepers]) wake();
  }

  /** Sleeps until released (`message`), until `limitMs` is over (`own-timer`), or until interrupted, which rejects. */
  sleep(limitMs: number | null, signal?: AbortSignal): Promise<'message' | 'own-timer'> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    if (this.#kept > 0) {
      this.#kept--;
      return Promise.resolve('message');
    }
    // who is told that nothing is left to wait for asks again at once
    if (limitMs !== null && limitMs <= 0) return Promise.resolve('own-timer');
    return new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined;
      const end = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', interrupted);
        this.#sleepers = this.#sleepers.filter((one) => one !== wake);
      };
      const wake = () => {
        end();
        resolve('message');
      };
      const interrupted = () => {
        end();
        reject(signal?.reason);
      };
      if (limitMs !== null) {
        const late = () => {
          end();
          resolve('own-timer');
        };
        timer = setTimeout(late, Math.min(Math.max(0, limitMs) + TIMER_MAY_BE_EARLY_MS, LONGEST_TIMER_MS));
      }
      this.#sleepers.push(wake);
      signal?.addEventListener('abort', interrupted);
    });
  }
}

/** A timer counts whole ms from when its loop last looked: a sleep must not end before its limit. */
const TIMER_MAY_BE_EARLY_MS = 2;
const LONGEST_TIMER_MS = 2 ** 31 - 1;
