import type { LockKind } from '../events/types/lock-kind.ts';
import { isHeld, type LockState, waitingFor } from './lock-state.ts';

/**
 * What one lock adds to the counts. `holders`: a holder of a semaphore that is not listed counts once for each of its
 * permits. `waiters`: those that `waitingFor` counts.
 */
export type LockCount = { readonly isHeld: boolean; readonly holders: number; readonly waiters: number };

/** The locks of one kind in one source. */
export type LockTally = {
  readonly source: string;
  readonly kind: LockKind;
  /** All locks, the held ones, and those that are waited for, held or not. */
  readonly locks: number;
  readonly held: number;
  readonly waitedFor: number;
  readonly holders: number;
  readonly waiters: number;
};

export function countOf(lock: LockState): LockCount {
  return {
    isHeld: isHeld(lock),
    holders: lock.holders.length + lock.holdersBeyond,
    waiters: waitingFor(lock),
  };
}

/** Counts of all locks by source and kind, kept up to date lock by lock. */
export class LockCounts {
  readonly #tallies = new Map<string, { -readonly [F in keyof LockTally]: LockTally[F] }>();

  add(lock: LockState, count: LockCount): void {
    this.#change(lock, count, 1);
  }

  remove(lock: LockState, count: LockCount): void {
    this.#change(lock, count, -1);
  }

  tallies(): readonly LockTally[] {
    return [...this.#tallies.values()].map((tally) => ({ ...tally }));
  }

  #change({ source, kind }: LockState, { isHeld, holders, waiters }: LockCount, by: 1 | -1): void {
    const key = `${kind} ${source}`;
    const none = { source, kind, locks: 0, held: 0, waitedFor: 0, holders: 0, waiters: 0 };
    const tally = this.#tallies.get(key) ?? none;
    tally.locks += by;
    if (isHeld) tally.held += by;
    if (waiters > 0) tally.waitedFor += by;
    tally.holders += by * holders;
    tally.waiters += by * waiters;
    if (tally.locks > 0) this.#tallies.set(key, tally);
    else this.#tallies.delete(key);
  }
}
