import type { RedisTime } from '../base/time.ts';
import type { LockEvent } from '../events/event.ts';
import type { BlindSpotReason } from '../events/types/watch-event.ts';

/** A source that is not watched, since when, and why. */
export type BlindSpot = { readonly source: string; readonly since: RedisTime; readonly reason: BlindSpotReason };

/** The blind spots that are open after all events so far, at most one per source. */
export class BlindSpots {
  readonly #open = new Map<string, BlindSpot>();

  constructor(open: Iterable<BlindSpot> = []) {
    for (const spot of open) this.#open.set(spot.source, spot);
  }

  /** Takes the next event; returns whether a blind spot began or ended. */
  take(event: LockEvent): boolean {
    if (event.type === 'blind-spot.ended') return this.#open.delete(event.source);
    if (event.type !== 'blind-spot.began' || this.#open.has(event.source)) return false;
    this.#open.set(event.source, { source: event.source, since: event.at, reason: event.reason });
    return true;
  }

  /** Takes a blind spot that is open after an earlier part of the stream. */
  restore(spot: BlindSpot): void {
    this.#open.set(spot.source, spot);
  }

  /** Drops the blind spot of a source that is removed. */
  forget(source: string): void {
    this.#open.delete(source);
  }

  /** When the open blind spot of the source began; undefined: the source has none. */
  since(source: string): RedisTime | undefined {
    return this.#open.get(source)?.since;
  }

  all(): BlindSpot[] {
    return [...this.#open.values()];
  }
}
