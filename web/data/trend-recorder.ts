import type { LockEvent } from '../../shared/events/event.ts';
import { lockIdOf } from '../../shared/state/lock-state.ts';

/** Length of one bin; bins begin at whole multiples of it, so that a bin that is over never changes. */
export const TREND_BIN_MICROS = 5_000_000;
/** How far back the trends look. */
export const TREND_MICROS = 300_000_000;
const MOST_BINS = TREND_MICROS / TREND_BIN_MICROS + 2;

/** One bin of the trends. Null: not seen. */
export type TrendBin = {
  /** Its beginning, Redis time in µs. */
  readonly at: number;
  /** The most that waited at once. */
  readonly waiters: number | null;
  /** 95 of 100 waits that ended here were no longer than this; null also where none ended. */
  readonly waitP95Ms: number | null;
  readonly renewalsPerSecond: number | null;
  /** Some or all of it went unwatched, or was not told to this page. */
  readonly isUnseen: boolean;
  /** The same of waits alone: at another level than `monitor` they cannot be seen. */
  readonly areWaitsUnseen: boolean;
};

type Bin = { waiters: number; waitsMs: number[]; p95: number | null; renewals: number; isUnseen: boolean };

/** What can be seen where the events come from: refused attempts need level `monitor`, renewals key events. */
export type TrendSight = { readonly waits: boolean; readonly renewals: boolean };

/**
 * Counts the events of the last minutes into bins, each event once, however many there are.
 *
 *   events   r r  a  n n │ r     a n │ ▚▚▚▚▚▚▚▚ │ …
 *   bin      waiters 2   │ 1         │ unseen   │
 *
 * A blind spot, or a number missing in the row of events, leaves its bins unseen: no zero is made up.
 */
export class TrendRecorder {
  #bins = new Map<number, Bin>();
  #newest: number | null = null;
  #lastSeq = 0;
  #lastAt = 0;
  #since: number | null = null;
  /** Everybody known to wait, by lock and holder; true once a second attempt shows that it is a wait. */
  #waiting = new Map<string, boolean>();
  #waiters = 0;
  /** By lock, how many more stand in a queue that is too long to name them all. */
  #uncounted = new Map<string, number>();
  #blind = new Set<string>();
  #sight: TrendSight | null = null;
  /** Waits before this went unseen, though all else was seen. */
  #waitsSince = Number.NEGATIVE_INFINITY;

  /** Newest event taken in. */
  get lastSeq(): number {
    return this.#lastSeq;
  }

  /** From when on it knows; null while it has not begun. */
  get since(): number | null {
    return this.#since;
  }

  /** Begins to count: nothing before `at` is known, but these waited already then. */
  begin(at: number, waiting: readonly { lockId: string; holder: string }[] = []): void {
    this.#bins = new Map();
    this.#since = at;
    this.#lastAt = at;
    this.#newest = null;
    this.#waiting = new Map(waiting.map(({ lockId, holder }) => [`${lockId} ${holder}`, true]));
    this.#waiters = this.#waiting.size;
    this.#uncounted = new Map();
    this.#advance(at);
  }

  /** Takes what is newer than all it has, in order of `seq`. From `wholeFrom` on none is missing but of dense runs. */
  take(events: readonly LockEvent[], wholeFrom: number): void {
    let first = events.length;
    while (first > 0 && (events[first - 1]?.seq ?? 0) > this.#lastSeq) first--;
    const next = events[first];
    if (next && this.#lastSeq > 0 && wholeFrom > this.#lastSeq + 1) this.#missed(next.at);
    for (let i = first; i < events.length; i++) this.#takeOne(events[i] as LockEvent); // i is below the length
  }

  /** The bins of the last minutes up to `now`, oldest first; what is not finished yet is left out. */
  bins(now: number, sight: TrendSight): TrendBin[] {
    this.#advance(now);
    if (sight.waits && this.#sight?.waits === false) this.#waitsSince = now;
    this.#sight = sight;
    const last = Math.floor(now / TREND_BIN_MICROS) - 1;
    const first = last + 1 - TREND_MICROS / TREND_BIN_MICROS;
    const bins: TrendBin[] = [];
    for (let index = first; index <= last; index++) bins.push(this.#binAt(index, sight));
    return bins;
  }

  #binAt(index: number, sight: TrendSight): TrendBin {
    const at = index * TREND_BIN_MICROS;
    const bin = this.#bins.get(index);
    if (!bin || bin.isUnseen || this.#since === null || at + TREND_BIN_MICROS <= this.#since) {
      const nothing = { waiters: null, waitP95Ms: null, renewalsPerSecond: null };
      return { at, ...nothing, isUnseen: true, areWaitsUnseen: true };
    }
    bin.p95 ??= quantileOf(bin.waitsMs, 0.95);
    const areWaitsUnseen = !sight.waits || at < this.#waitsSince;
    return {
      at,
      waiters: areWaitsUnseen ? null : bin.waiters,
      waitP95Ms: areWaitsUnseen ? null : bin.p95,
      renewalsPerSecond: sight.renewals ? bin.renewals / (TREND_BIN_MICROS / 1_000_000) : null,
      isUnseen: false,
      areWaitsUnseen,
    };
  }

  #takeOne(event: LockEvent): void {
    this.#lastSeq = event.seq;
    this.#advance(event.at);
    this.#lastAt = Math.max(this.#lastAt, event.at);
    const bin = this.#bin(event.at);
    const lockId = lockIdOf(event);
    const key = 'holder' in event ? `${lockId} ${event.holder}` : '';
    switch (event.type) {
      case 'lock.refused':
        if (event.reason !== 'error') this.#wait(key, event.attempt > 1);
        break;
      case 'lock.acquired':
        this.#leave(key);
        if (event.waitedMs !== undefined) addWait(bin, event.waitedMs);
        break;
      case 'waiter.queued':
        this.#wait(key, true);
        if (event.queueLength !== undefined) this.#countQueue(lockId, event.queueLength);
        break;
      case 'waiter.dequeued':
        if (event.queueLength === 0) this.#uncounted.delete(lockId);
        if (event.reason !== 'evicted') this.#leave(key);
        break;
      case 'lease.renewed':
        if (bin) bin.renewals++;
        break;
      case 'blind-spot.began':
        this.#blind.add(event.source);
        for (const who of [...this.#waiting.keys()]) if (who.startsWith(`${event.source}/`)) this.#leave(who);
        for (const id of [...this.#uncounted.keys()]) if (id.startsWith(`${event.source}/`)) this.#uncounted.delete(id);
        if (bin) bin.isUnseen = true;
        break;
      case 'blind-spot.ended':
        this.#unseen(event.from, event.at);
        this.#blind.delete(event.source);
        break;
      default: // the other events change none of the three
    }
  }

  #wait(key: string, isConfirmed: boolean): void {
    const known = this.#waiting.get(key);
    if (known === true || (known === false && !isConfirmed)) return;
    this.#waiting.set(key, isConfirmed);
    if (!isConfirmed) return;
    this.#waiters++;
    this.#noteMost();
  }

  /** A queue is so long: whoever of it is not known by name waits as well. */
  #countQueue(lockId: string, length: number): void {
    let named = 0;
    for (const [who, isConfirmed] of this.#waiting) if (isConfirmed && who.startsWith(`${lockId} `)) named++;
    this.#uncounted.set(lockId, Math.max(0, length - named));
    this.#noteMost();
  }

  #countNow(): number {
    let count = this.#waiters;
    for (const more of this.#uncounted.values()) count += more;
    return count;
  }

  #noteMost(): void {
    const bin = this.#newest === null ? undefined : this.#bins.get(this.#newest);
    if (bin) bin.waiters = Math.max(bin.waiters, this.#countNow());
  }

  #leave(key: string): void {
    if (this.#waiting.get(key) === true) this.#waiters--;
    this.#waiting.delete(key);
  }

  /** Some events were not told: who waits is not known from here. */
  #missed(until: number): void {
    this.#advance(until);
    this.#unseen(this.#lastAt, until);
  }

  #unseen(from: number, to: number): void {
    const last = Math.floor(to / TREND_BIN_MICROS);
    for (let index = Math.floor(from / TREND_BIN_MICROS); index <= last; index++) {
      const bin = this.#bins.get(index);
      if (bin) bin.isUnseen = true;
    }
  }

  /** The bin of an instant; undefined when that is too long ago. */
  #bin(at: number): Bin | undefined {
    return this.#bins.get(Math.floor(at / TREND_BIN_MICROS));
  }

  /** Makes the bins up to an instant: whoever waits, waits on in them. */
  #advance(at: number): void {
    const target = Math.floor(at / TREND_BIN_MICROS);
    const first = Math.max((this.#newest ?? target - 1) + 1, target - MOST_BINS);
    for (let index = first; index <= target; index++) {
      const isUnseen = this.#blind.size > 0;
      this.#bins.set(index, { waiters: this.#countNow(), waitsMs: [], p95: null, renewals: 0, isUnseen });
      this.#newest = index;
    }
    for (const index of this.#bins.keys()) {
      if (this.#bins.size <= MOST_BINS) break;
      this.#bins.delete(index);
    }
  }
}

function addWait(bin: Bin | undefined, ms: number): void {
  bin?.waitsMs.push(ms);
  if (bin) bin.p95 = null;
}

/** The value that a share `q` of all values does not exceed (nearest rank); null where there is none. */
export function quantileOf(values: readonly number[], q: number): number | null {
  if (values.length === 0) return null;
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(q * sorted.length) - 1)] ?? null;
}
