import type { LockEvent } from '../../../shared/events/event.ts';
import { denseRunsFromEvents } from '../../../shared/spans/dense-runs.ts';
import { RunThinner } from '../../../shared/spans/thin-runs.ts';
import type { Span } from './scale.ts';

/** Width of a column: thin enough to be exact, wide enough to be visible. */
export const COLUMN_PX = 2;

/** One column for every two pixels: the number of events in it, and whether a lease expired there. */
export type MinimapColumns = { readonly counts: Uint32Array; readonly lost: Uint8Array; readonly most: number };

/**
 * The times of all events in memory, ready to be counted by column. They are counted several times a second. Renewals
 * are left out: they mean that nothing happened.
 */
export class MinimapTimes {
  #times = new Float64Array(1024);
  #count = 0;
  #lostTimes: number[] = [];
  /** Refused attempts that may form a dense run. Only some events of a run are kept; `columns` fills in the others. */
  #repeated: LockEvent[] = [];
  #thinner = new RunThinner();
  #lastSeq = 0;
  #beginnings = -1;

  /** Adds the events that are newer than all it has. Starts over if `beginnings` has changed. */
  take(events: readonly LockEvent[], beginnings: number): void {
    if (beginnings !== this.#beginnings) {
      this.#beginnings = beginnings;
      this.#count = 0;
      this.#lostTimes = [];
      this.#repeated = [];
      this.#thinner = new RunThinner();
      this.#lastSeq = 0;
    }
    let first = events.length;
    while (first > 0 && (events[first - 1]?.seq ?? 0) > this.#lastSeq) first--;
    for (let i = first; i < events.length; i++) this.#takeOne(events[i] as LockEvent); // i is below the length
  }

  /** Counts the events by column, over `width` pixels. */
  columns(extent: Span, width: number): MinimapColumns {
    const columns = Math.max(1, Math.ceil(width / COLUMN_PX));
    const counts = new Uint32Array(columns);
    const lost = new Uint8Array(columns);
    const perMicro = columns / Math.max(1, extent.to - extent.from);
    const columnOf = (at: number) => Math.floor((at - extent.from) * perMicro);
    const count = (at: number) => {
      const column = columnOf(at);
      if (column >= 0 && column < columns) counts[column] = (counts[column] as number) + 1; // one of the columns
    };
    for (let i = 0; i < this.#count; i++) count(this.#times[i] as number); // i is below the count
    for (const { at } of this.#repeated) count(at);
    for (const at of this.#lostTimes) if (columnOf(at) >= 0 && columnOf(at) < columns) lost[columnOf(at)] = 1;
    for (const run of denseRunsFromEvents(this.#repeated)) {
      const [first, last] = [columnOf(run.from), columnOf(run.to)];
      const each = Math.max(1, Math.round(run.attempts / (last - first + 1)));
      for (let column = Math.max(0, first); column <= Math.min(columns - 1, last); column++) {
        counts[column] = Math.max(counts[column] ?? 0, each);
      }
    }
    let most = 0;
    for (const each of counts) if (each > most) most = each;
    return { counts, lost, most };
  }

  #takeOne(event: LockEvent): void {
    this.#lastSeq = event.seq;
    if (event.type === 'lease.renewed') return;
    if (event.type === 'lease.expired') this.#lostTimes.push(event.at);
    const isRepeated = event.type === 'lock.refused' && event.attempt > 2 && !event.asleep;
    if (isRepeated) return this.#thinner.take(this.#repeated, event);
    if (this.#count === this.#times.length) {
      const more = new Float64Array(this.#count * 2);
      more.set(this.#times);
      this.#times = more;
    }
    this.#times[this.#count++] = event.at;
  }
}
