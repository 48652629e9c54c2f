import type { LockEvent } from '../../shared/events/event.ts';
import type { BlindReason } from '../../shared/signals/blind-reason.ts';

/** A range of time in which a source was not watched, in Redis time (µs). `to` null: it is still not watched. */
export type BlindRange = {
  readonly source: string;
  readonly from: number;
  readonly to: number | null;
  readonly reason: BlindReason;
};

/** How many ranges are kept: the oldest. */
const MOST = 100;

/** The first 100 blind spots among the events that arrived. */
export class BlindLog {
  #ranges: BlindRange[] = [];

  take(event: LockEvent): void {
    const { source, at } = event;
    if (event.type === 'blind-spot.began' && this.#ranges.length < MOST) {
      this.#ranges.push({ source, from: at, to: null, reason: event.reason });
    }
    if (event.type !== 'blind-spot.ended') return;
    this.#ranges = this.#ranges.map((each) =>
      each.source === source && each.to === null ? { ...each, to: at } : each,
    );
  }

  all(): readonly BlindRange[] {
    return this.#ranges;
  }
}
