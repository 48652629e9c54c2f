import type { LockEvent } from '../../../shared/events/event.ts';
import { TOPIC_OF } from '../../../shared/events/topics.ts';
import { denseRunsFromEvents } from '../../../shared/spans/dense-runs.ts';
import { RunThinner } from '../../../shared/spans/thin-runs.ts';
import type { EventsOverTime } from '../../data/window/events-over-time.ts';
import type { TimeSpan } from '../../data/window/time-span.ts';

/** Width of a column: thin enough to be exact, wide enough to be visible. */
export const COLUMN_PX = 2;

/**
 * One column for every two pixels: the number of events in it, how many of them are about waiting, and whether a lease
 * expired or a problem was reported in it (`lost`). `most` is the highest number of events in a column.
 */
export type MinimapColumns = {
  readonly counts: Uint32Array;
  readonly waits: Uint32Array;
  readonly lost: Uint8Array;
  readonly most: number;
};

/** How many events are not loaded, per bin of time, and the ranges in which they are. */
type Beyond = { readonly load: EventsOverTime; readonly parts: readonly TimeSpan[] };

/**
 * The times of all loaded events, ready to be counted by column. They are counted several times a second. Renewals
 * are left out, because they change nothing that a user looks for here.
 */
export class MinimapTimes {
  #times = new Times();
  /** The times of the events about waiting, without the events in `#repeated`. */
  #waitTimes = new Times();
  #lostTimes: number[] = [];
  /** Refused attempts that may form a dense run. Only some events of a run are kept; `columns` fills in the rest. */
  #repeated: LockEvent[] = [];
  #thinner = new RunThinner();
  #lastSeq = 0;
  #rebuilds = -1;

  /** Adds the events with a higher `seq` than the last added one. Starts over if `rebuilds` has changed. */
  take(events: readonly LockEvent[], rebuilds: number): void {
    if (rebuilds !== this.#rebuilds) {
      this.#rebuilds = rebuilds;
      this.#times = new Times();
      this.#waitTimes = new Times();
      this.#lostTimes = [];
      this.#repeated = [];
      this.#thinner = new RunThinner();
      this.#lastSeq = 0;
    }
    let first = events.length;
    while (first > 0 && (events[first - 1]?.seq ?? 0) > this.#lastSeq) first--;
    for (let i = first; i < events.length; i++) this.#takeOne(events[i] as LockEvent); // i is below the length
  }

  /**
   * Counts the events by column, over `width` pixels. `beyond`: the numbers of events that are not loaded, and where
   * they are.
   */
  columns(extent: TimeSpan, width: number, beyond?: Beyond): MinimapColumns {
    const columns = Math.max(1, Math.ceil(width / COLUMN_PX));
    const counts = new Uint32Array(columns);
    const waits = new Uint32Array(columns);
    const lost = new Uint8Array(columns);
    const perMicro = columns / Math.max(1, extent.to - extent.from);
    const columnOf = (at: number) => Math.floor((at - extent.from) * perMicro);
    const countIn = (layer: Uint32Array) => (at: number) => {
      const column = columnOf(at);
      if (column >= 0 && column < columns) layer[column] = (layer[column] as number) + 1; // the checked index exists
    };
    this.#times.each(countIn(counts));
    this.#waitTimes.each(countIn(waits));
    for (const { at } of this.#repeated) countIn(waits)(at);
    for (const at of this.#lostTimes) if (columnOf(at) >= 0 && columnOf(at) < columns) lost[columnOf(at)] = 1;
    for (const run of denseRunsFromEvents(this.#repeated)) {
      const [first, last] = [columnOf(run.from), columnOf(run.to)];
      const each = Math.max(1, Math.round(run.attempts / (last - first + 1)));
      for (let column = Math.max(0, first); column <= Math.min(columns - 1, last); column++) {
        waits[column] = Math.max(waits[column] ?? 0, each);
      }
    }
    if (beyond) addBeyond(beyond, columnOf, { counts, waits });
    let most = 0;
    waits.forEach((waiting, column) => {
      const all = (counts[column] ?? 0) + waiting;
      counts[column] = all;
      if (all > most) most = all;
    });
    return { counts, waits, lost, most };
  }

  #takeOne(event: LockEvent): void {
    this.#lastSeq = event.seq;
    if (event.type === 'lease.renewed') return;
    const isProblem = event.type === 'insight.opened' && event.severity !== 'hint';
    if (event.type === 'lease.expired' || isProblem) this.#lostTimes.push(event.at);
    const isRepeated = event.type === 'lock.refused' && event.attempt > 2 && !event.asleep;
    if (isRepeated) return this.#thinner.take(this.#repeated, event);
    const times = TOPIC_OF[event.type] === 'waiting' ? this.#waitTimes : this.#times;
    times.add(event.at);
  }
}

/** Adds the events of ranges that are known only as counts per bin: each bin is spread over its columns. */
function addBeyond(
  { load: { micros, bins }, parts }: Beyond,
  columnOf: (at: number) => number,
  { counts, waits }: Pick<MinimapColumns, 'counts' | 'waits'>,
): void {
  for (const { from, to } of parts) {
    const [first, last] = [Math.max(0, columnOf(from)), Math.min(counts.length - 1, columnOf(to))];
    for (const { at, events, waits: waiting } of bins) {
      if (events === 0) continue;
      const [begin, end] = [columnOf(at), columnOf(at + micros - 1)];
      const each = 1 / (end - begin + 1);
      for (let column = Math.max(first, begin); column <= Math.min(last, end); column++) {
        counts[column] = (counts[column] ?? 0) + Math.ceil((events - waiting) * each);
        waits[column] = (waits[column] ?? 0) + Math.ceil(waiting * each);
      }
    }
  }
}

/** A list of instants that grows, without an object for each. */
class Times {
  #all = new Float64Array(1024);
  #count = 0;

  add(at: number): void {
    if (this.#count === this.#all.length) {
      const more = new Float64Array(this.#count * 2);
      more.set(this.#all);
      this.#all = more;
    }
    this.#all[this.#count++] = at;
  }

  each(use: (at: number) => void): void {
    for (let i = 0; i < this.#count; i++) use(this.#all[i] as number); // i is below the count
  }
}
