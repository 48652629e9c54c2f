import { startTimer, stopTimer, type Timer } from '../../redis/connection/surroundings.ts';

/**
 * A counting semaphore between one subscription and the threads that sleep on it.
 *
 *   a thread is asleep      a release wakes the one that has slept longest
 *   no thread is asleep     the release is kept, and the next thread does not sleep
 */
export class WakeUps {
  #kept = 0;
  #sleepers: (() => void)[] = [];

  /** Wakes one thread. */
  release(): void {
    const wake = this.#sleepers.shift();
    if (wake) wake();
    else this.#kept++;
  }

  /** Wakes every sleeping thread; keeps nothing for later ones. */
  releaseAll(): void {
    for (const wake of [...this.#sleepers]) wake();
  }

  /** Sleeps until a release (`message`) or for `limitMs` (`own-timer`). Rejects if interrupted. */
  sleep(limitMs: number | null, signal?: AbortSignal): Promise<'message' | 'own-timer'> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    if (this.#kept > 0) {
      this.#kept--;
      return Promise.resolve('message');
    }
    // no time left to wait: the thread attempts again at once
    if (limitMs !== null && limitMs <= 0) return Promise.resolve('own-timer');
    return new Promise((resolve, reject) => {
      let timer: Timer | undefined;
      const end = () => {
        stopTimer(timer);
        signal?.removeEventListener('abort', interrupted);
        this.#sleepers = this.#sleepers.filter((sleeper) => sleeper !== wake);
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
        timer = startTimer(late, Math.min(Math.max(0, limitMs) + TIMER_MAY_BE_EARLY_MS, LONGEST_TIMER_MS));
      }
      this.#sleepers.push(wake);
      signal?.addEventListener('abort', interrupted);
    });
  }
}

/** A Node timer may fire early, because it counts whole ms from the start of its loop turn. */
const TIMER_MAY_BE_EARLY_MS = 2;
const LONGEST_TIMER_MS = 2 ** 31 - 1;
