import type { Hold } from './holds-from-events.ts';
import { Lengths } from './lengths.ts';
import type { Wait } from './wait.ts';
import { isWholeHold } from './whole-spans.ts';

const ACQUIRED: ReadonlySet<Wait['ended']> = new Set(['message', 'own-timer', 'acquired']);
/** Endings of a hold that were or may have been a release. */
const RELEASED: ReadonlySet<Hold['ended']> = new Set(['released', 'freed']);

/** Figures about the holds and waits that ended within a range. */
export class RangeStatistics {
  /** Holds whose beginning and end were seen. */
  readonly holds = new Lengths();
  /**
   * For each of these holds that was, or may have been, released and whose lease is known: the greatest part of the
   * lease that had passed before a renewal or the release, in millionths.
   */
  readonly leaseUsed = new Lengths();
  /** Holds that ended because their lease expired. */
  expired = 0;
  /** Waits that ended with the lock, and whose beginning was seen. */
  readonly waits = new Lengths();
  /** How long the lock was free, from a release until the waiter that its message woke acquired it. */
  readonly wakeUps = new Lengths();
  /** Waits that the waiter gave up. A waiter that is presumed gone is not counted. */
  gaveUp = 0;
  /** Refused attempts of the waits in `waits`. */
  refusals = 0;
  /** Holds, and waits that ended with the lock, whose beginning was not seen: how long they took is not known. */
  readonly older = { holds: 0, waits: 0 };

  /** `from`, `to`: the range, in µs. */
  constructor(
    readonly from: number,
    readonly to: number,
  ) {}

  take(holds: readonly Hold[], waits: readonly Wait[]): void {
    for (const hold of holds) {
      const { from, to, ended, isOpenStart, leaseUsed } = hold;
      if (!this.#isWithin(to)) continue;
      if (ended === 'expired') this.expired++;
      if (isOpenStart) this.older.holds++;
      if (!isWholeHold(hold)) continue;
      this.holds.add(to - from);
      if (RELEASED.has(ended) && leaseUsed !== undefined) this.leaseUsed.add(leaseUsed * 1_000_000);
    }
    for (const { from, to, ended, attempts, isOpenStart } of waits) {
      if (!this.#isWithin(to)) continue;
      if (ended === 'gave-up') this.gaveUp++;
      if (!ACQUIRED.has(ended)) continue;
      if (isOpenStart) {
        this.older.waits++;
        continue;
      }
      this.waits.add(to - from);
      this.refusals += attempts;
    }
  }

  #isWithin<T extends number>(at: T | null): at is T {
    return at !== null && at >= this.from && at <= this.to;
  }
}
