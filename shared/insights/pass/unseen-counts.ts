import type { Detector } from '../detector.ts';
import type { CannotTell, UnseenReason } from '../insight.ts';

/** What one detector cannot know about a lock. */
export type Unseen = { readonly detector: Detector; readonly reason: UnseenReason };

/**
 * What the detectors cannot know about a lock. Most locks have the same list, so each different list is kept once, with
 * the number of its locks in each source.
 */
export type UnseenOfLock = { readonly all: readonly Unseen[]; readonly locks: Map<string, number> };

/**
 * Counts the locks about which a detector cannot know, by detector, source and reason. Adding and removing a lock costs
 * the same for any number of locks.
 */
export class UnseenCounts {
  readonly #known = new Map<string, UnseenOfLock>();

  add(source: string, all: readonly Unseen[]): UnseenOfLock {
    const key = all.map(({ detector, reason }) => `${detector.incident} ${reason}`).join();
    const known = this.#known.get(key) ?? { all, locks: new Map<string, number>() };
    this.#known.set(key, known);
    known.locks.set(source, (known.locks.get(source) ?? 0) + 1);
    return known;
  }

  remove(source: string, { locks }: UnseenOfLock): void {
    const left = (locks.get(source) ?? 0) - 1;
    if (left > 0) locks.set(source, left);
    else locks.delete(source);
  }

  addTo(list: UnseenList): void {
    for (const { all, locks } of this.#known.values())
      for (const [source, count] of locks)
        for (const { detector, reason } of all) list.add(detector, source, reason, count);
  }
}

/** One entry for each detector, source and reason, with the number of locks about which the detector cannot know. */
export class UnseenList {
  readonly #all = new Map<string, CannotTell>();

  add(
    { incident, effect }: Pick<Detector, 'incident' | 'effect'>,
    source: string,
    reason: UnseenReason,
    more: number,
  ): void {
    const key = `${incident} ${reason} ${source}`;
    const locks = (this.#all.get(key)?.locks ?? 0) + more;
    this.#all.set(key, { incident, effect, source, reason, locks });
  }

  all(): readonly CannotTell[] {
    return [...this.#all.values()];
  }
}
