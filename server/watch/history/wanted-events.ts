import { plusMillis, type RedisTime } from '../../../shared/base/time.ts';
import type { LockEvent } from '../../../shared/events/event.ts';
import type { Wants } from '../../../shared/insights/detector.ts';
import { lockIdOf } from '../../../shared/state/lock-state.ts';

/** How many events of each list are kept: the newest. */
const MOST_WANTED = 5000;
const MOST_BESIDE = 20_000;

/**
 * The newest events that detectors want, so that a look at the present need not search the history.
 *
 * `wanted` are rare. `beside` are events of locks that have a wanted one; they may be frequent, so they have a list of
 * their own.
 */
export class WantedEvents {
  readonly #wants: Wants;
  readonly #wanted: LockEvent[] = [];
  readonly #beside: LockEvent[] = [];

  constructor(wants: Wants) {
    this.#wants = wants;
  }

  take(event: LockEvent): void {
    const { types, beside } = this.#wants;
    if (types.includes(event.type)) this.#push(this.#wanted, event, MOST_WANTED);
    else if (beside.includes(event.type)) this.#push(this.#beside, event, MOST_BESIDE);
  }

  /** Replaces the event that has the same `seq`. */
  amend(event: LockEvent): void {
    for (const list of [this.#wanted, this.#beside]) {
      const place = list.findLastIndex(({ seq }) => seq === event.seq);
      if (place >= 0) list[place] = event;
    }
  }

  /** The events that detectors want now, oldest first. */
  now(at: RedisTime): LockEvent[] {
    const from = plusMillis(at, -this.#wants.withinMs);
    const wanted = this.#wanted.filter((event) => event.at >= from);
    if (wanted.length === 0) return wanted;
    const locks = new Set(wanted.map(lockIdOf));
    const beside = this.#beside.filter((event) => event.at >= from && locks.has(lockIdOf(event)));
    return [...wanted, ...beside].sort((a, b) => a.seq - b.seq);
  }

  /**
   * Adds an event. Drops the oldest quarter when the list is full, so that it need not move at every event, and when all of
   * it is too old. An event may be dated back, so too old means twice as long ago as is wanted.
   */
  #push(list: LockEvent[], event: LockEvent, most: number): void {
    list.push(event);
    const quarter = Math.ceil(list.length / 4);
    const oldest = list[quarter - 1]?.at ?? event.at;
    const isOld = oldest < plusMillis(event.at, -2 * this.#wants.withinMs);
    if (list.length > most || isOld) list.splice(0, quarter);
  }
}
