import type { HoldMode } from '../events/types/hold-event.ts';

/** What the search needs of a lock; `LockState` has all of it. */
export type WantedLock = {
  readonly holders: readonly { readonly id: string; readonly mode: HoldMode }[];
  readonly holdersBeyond: number;
  readonly waiters: readonly {
    readonly id: string;
    readonly since: number;
    readonly isAsleep: boolean;
    readonly presumedGoneAt: unknown;
  }[];
};

/** One step of a circle: a waiting thread, the key of the lock it wants, and the thread that holds it. */
export type WaitStep = { readonly holder: string; readonly wants: string; readonly heldBy: string };

/**
 * Finds threads that wait for each other in a circle.
 *
 *   A ──wants stock:7──▶ B ──wants orders:42──▶ A
 *
 * A thread that was refused once may not be waiting, so only threads that went to sleep count. A lock with several
 * holders is not followed: one of them may release it. Takes time linear in the holders and waiters.
 */
export class WaitCircles {
  readonly #wants = new Map<string, string>();
  readonly #heldBy = new Map<string, string>();

  /**
   * Takes the next lock, by any key that is unique. Waits that began before `since` are left out; returns whether there
   * are such waits.
   */
  take(key: string, lock: WantedLock, since = Number.NEGATIVE_INFINITY): boolean {
    const holder = lock.holders[0];
    if (holder?.mode === 'permit') return false; // any client may give a permit back
    if (holder && lock.holders.length === 1 && lock.holdersBeyond === 0) this.#heldBy.set(key, holder.id);
    let isOlder = false;
    for (const waiter of lock.waiters) {
      if (!waiter.isAsleep || waiter.presumedGoneAt !== null) continue;
      if (waiter.since < since) isOlder = true;
      else this.#wants.set(waiter.id, key);
    }
    return isOlder;
  }

  /** Returns every circle once. Each begins with its first thread by id, and they are in the order of those. */
  all(): readonly (readonly WaitStep[])[] {
    const circles: WaitStep[][] = [];
    /** The walk in which each thread was met first: a second meeting in the same walk closes a circle. */
    const metIn = new Map<string, string>();
    for (const start of this.#wants.keys()) {
      if (this.#blockerOf(start) === undefined) continue;
      let next: string | undefined = start;
      while (next !== undefined && !metIn.has(next)) {
        metIn.set(next, start);
        next = this.#blockerOf(next);
      }
      if (next !== undefined && metIn.get(next) === start) circles.push(this.#circleFrom(next));
    }
    return circles.sort(([a], [b]) => ((a?.holder ?? '') < (b?.holder ?? '') ? -1 : 1));
  }

  #circleFrom(first: string): WaitStep[] {
    const steps: WaitStep[] = [];
    for (let next: string | undefined = first; next !== undefined; next = this.#blockerOf(next)) {
      if (steps.length > 0 && next === first) break;
      const wants = this.#wants.get(next) ?? '';
      steps.push({ holder: next, wants, heldBy: this.#heldBy.get(wants) ?? '' });
    }
    const least = steps.reduce((at, { holder }, n) => (holder < (steps[at]?.holder ?? '') ? n : at), 0);
    return [...steps.slice(least), ...steps.slice(0, least)];
  }

  /** The thread that a thread waits for. A thread that waits for nothing ends the walk. */
  #blockerOf(holder: string): string | undefined {
    const key = this.#wants.get(holder);
    const blocker = key === undefined ? undefined : this.#heldBy.get(key);
    return blocker !== undefined && this.#wants.has(blocker) ? blocker : undefined;
  }
}

/** The first circle among these locks, by their keys; null if they are in no circle. */
export function circleAmong(locks: Iterable<readonly [string, WantedLock]>): readonly WaitStep[] | null {
  const circles = new WaitCircles();
  for (const [key, lock] of locks) circles.take(key, lock);
  return circles.all()[0] ?? null;
}
