import { startTimer, stopTimer, type Timer } from '../../redis/connection/surroundings.ts';
import type { MilestoneDetail } from './protocol.ts';

/** One thread's hold that the watchdog renews. `count` of its levels were acquired without an explicit lease. */
type Hold = { lock: string; thread: number; holder: string; count: number };

export type WatchdogListener = (lock: string, thread: number, detail: MilestoneDetail) => void;
type Renew = (holds: readonly { lock: string; holder: string }[], leaseMs: number) => Promise<boolean[]>;

const LOCKS_PER_SCRIPT = 100;

/**
 * One timer for all holds of a client (holds of read locks have another watchdog). While there are holds, it fires
 * every third of the lease. A later hold is first renewed at any time within the first third of its lease.
 *
 *   holds     A [===============]
 *             B      [=================]
 *   timer      |.....*.....*.....*.....*.....    one script for A and B each time (at most 100 holds in a script)
 */
export class Watchdog {
  /** By lock, in the order the threads acquired it. For a lock that is not shared, only the first is renewed. */
  readonly #holds = new Map<string, Hold[]>();
  readonly #leaseMs: number;
  readonly #renew: Renew;
  readonly #report: WatchdogListener;
  /** True if several threads can hold the lock; then all of these holds are renewed. */
  readonly #isShared: boolean;
  #timer: Timer | undefined;
  #isRenewing = false;

  constructor(leaseMs: number, renew: Renew, report: WatchdogListener, isShared = false) {
    this.#leaseMs = leaseMs;
    this.#renew = renew;
    this.#report = report;
    this.#isShared = isShared;
  }

  /** Adds one level of this thread's hold. */
  add(lock: string, thread: number, holder: string): void {
    const holds = this.#holds.get(lock) ?? [];
    const known = holds.find((hold) => hold.thread === thread);
    if (known) known.count++;
    else holds.push({ lock, thread, holder, count: 1 });
    this.#holds.set(lock, holds);
    this.#schedule();
  }

  /** Removes one level of this thread's hold. */
  removeLevel(lock: string, thread: number): void {
    const hold = this.#holds.get(lock)?.find((each) => each.thread === thread);
    if (hold && --hold.count === 0) this.#drop(hold);
  }

  /** Removes this thread's hold, whatever its hold count. */
  removeHold(lock: string, thread: number): void {
    const hold = this.#holds.get(lock)?.find((each) => each.thread === thread);
    if (hold) this.#drop(hold);
  }

  /** Removes all holds of this lock. */
  removeLock(lock: string): void {
    this.#holds.delete(lock);
    this.#restIfIdle();
  }

  #drop(hold: Hold): void {
    const rest = (this.#holds.get(hold.lock) ?? []).filter((each) => each !== hold);
    if (rest.length > 0) this.#holds.set(hold.lock, rest);
    else this.#holds.delete(hold.lock);
    this.#restIfIdle();
  }

  /** Stops the timer if there are no holds. The next hold starts it again: first renewal after a third of the lease. */
  #restIfIdle(): void {
    if (this.#holds.size > 0) return;
    stopTimer(this.#timer);
    this.#timer = undefined;
  }

  #schedule(): void {
    if (this.#timer !== undefined || this.#isRenewing) return;
    this.#timer = startTimer(async () => {
      this.#timer = undefined;
      this.#isRenewing = true;
      await this.#renewAll();
      this.#isRenewing = false;
      if (this.#holds.size > 0) this.#schedule();
    }, this.#leaseMs / 3);
  }

  async #renewAll(): Promise<void> {
    const due = [...this.#holds.values()].flatMap((holds) => (this.#isShared ? holds : holds.slice(0, 1)));
    for (let from = 0; from < due.length; from += LOCKS_PER_SCRIPT) {
      const batch = due.slice(from, from + LOCKS_PER_SCRIPT);
      try {
        const outcomes = await this.#renew(batch, this.#leaseMs);
        for (const [n, hold] of batch.entries()) this.#settle(hold, outcomes[n] === true);
      } catch {
        // No connection or no permission: the next tick renews again.
        for (const hold of batch) this.#report(hold.lock, hold.thread, { name: 'renewal-failed' });
      }
    }
  }

  #settle(hold: Hold, isRenewed: boolean): void {
    // If the lock was released and acquired again while the script ran, the reply is not about the new hold.
    const isStillWatched = this.#holds.get(hold.lock)?.includes(hold) ?? false;
    if (isRenewed) this.#report(hold.lock, hold.thread, { name: 'renewed' });
    else {
      this.#report(hold.lock, hold.thread, { name: 'renewal-refused' });
      if (isStillWatched) this.#drop(hold);
    }
  }
}
