import { isOfLock, type LockEvent } from '../events/event.ts';
import { isHandover } from '../state/handovers.ts';
import type { OldestWait } from '../state/oldest-waits.ts';
import { addWait, BinRow, type CountedBin, type Standing, type WaitSample } from './bin-row.ts';

const SECOND = 1_000_000;

/** Whether a source is watched, and whether its level shows waits and renewals. */
export type SourceSight = { readonly isWatched: boolean; readonly waits: boolean; readonly renewals: boolean };

/** The waits of all locks at one instant: a `World`. */
export type WaitsNow = {
  readonly waiting: number;
  readonly oldestWaits: { entries(): Iterable<[source: string, oldest: OldestWait]> };
};

/** Figures for one range of time; null: not known. */
type TrendFigures = {
  readonly at: number;
  readonly waiters: number | null;
  readonly waitP95Ms: number | null;
  /** The greatest age of a wait in that range; 0: there was no wait. */
  readonly oldestWaitMs: number | null;
  /** Whether the oldest wait, or another one, may have begun earlier than was seen. */
  readonly oldestIsAtLeast: boolean;
  readonly handovers: number | null;
  readonly refusals: number | null;
  readonly renewals: number | null;
  readonly events: number | null;
  readonly seen: 'watched' | 'partly' | 'unwatched' | 'forgotten';
  readonly waitsSeen: boolean;
};

/**
 * Counts events into bins as they arrive: bins of 1 s for the last hour, and of 30 s for the last day.
 *
 *   events   r r  a  n n │ r     a n │ ▚▚▚▚▚▚▚▚ │ …
 *   bin      waiters 2   │ 1         │ unwatched│
 */
export class TrendCounter {
  readonly #fine = new BinRow(SECOND, 3600);
  readonly #coarse = new BinRow(30 * SECOND, 2880);
  /** The sources that are in a blind spot now, and since when. */
  readonly #blind = new Map<string, number>();
  #sights: ReadonlyMap<string, SourceSight> = new Map();
  #waiting = 0;
  #oldest: ReadonlyMap<string, OldestWait> = new Map();
  #since: number | null = null;

  /** When counting began; null: not yet. */
  get since(): number | null {
    return this.#since;
  }

  /** Takes the next event; `waits`: the waits of all locks after it. */
  take(event: LockEvent, waits: WaitsNow): void {
    this.#advance(event.at);
    this.setWaits(waits);
    for (const row of this.#rows()) {
      const bin = row.at(event.at);
      if (bin) count(bin, event);
    }
    if (event.type === 'blind-spot.began') {
      this.#blind.set(event.source, event.at);
      this.#noteFlags();
      for (const row of this.#rows()) row.blind(event.at, event.at);
    }
    if (event.type === 'blind-spot.ended') {
      // until the blind spot was noticed, the waits of this source were treated as seen
      const noticedAt = this.#blind.get(event.source) ?? event.at;
      for (const row of this.#rows()) {
        row.blind(event.from, event.at);
        row.dropAges(event.from, noticedAt);
      }
      this.#blind.delete(event.source);
      this.#noteFlags();
    }
  }

  /** Sets the waits of all locks. */
  setWaits({ waiting, oldestWaits }: WaitsNow): void {
    this.#waiting = waiting;
    this.#oldest = new Map(oldestWaits.entries());
    for (const row of this.#rows()) {
      const bin = row.newest();
      if (bin && bin.waiters < waiting) bin.waiters = waiting;
    }
  }

  /** Sets the sources from `at` on, and what can be seen of each. */
  see(sights: ReadonlyMap<string, SourceSight>, at: number): void {
    this.#advance(at);
    this.#sights = sights;
    this.#noteFlags();
  }

  /**
   * Returns the bins of a range of time up to `now`, and their length in µs. There are about `count` of them: their
   * length is rounded up to a multiple of 1 s, or of 30 s if `from` is more than 3,599 s ago.
   */
  bins(
    from: number,
    to: number,
    count: number,
    now: number,
  ): { readonly micros: number; readonly bins: TrendFigures[] } {
    this.#advance(now);
    const isFine = from >= now - 3599 * SECOND;
    const row = isFine ? this.#fine : this.#coarse;
    const micros = Math.max(1, Math.ceil((to - from) / count / row.micros)) * row.micros;
    const first = Math.floor(from / micros);
    const last = Math.max(first, Math.ceil(to / micros) - 1);
    const parts = new Map<number, CountedBin[]>();
    for (const [at, bin] of row.bins()) {
      const index = Math.floor(at / micros);
      if (index < first || index > last) continue;
      const list = parts.get(index) ?? [];
      list.push(bin);
      parts.set(index, list);
    }
    const bins: TrendFigures[] = [];
    for (let index = first; index <= last; index++) {
      const due = Math.min(micros, Math.max(1, now - index * micros)) / row.micros;
      bins.push(figuresOf(index * micros, parts.get(index) ?? [], Math.ceil(due)));
    }
    return { micros, bins };
  }

  #rows(): readonly BinRow[] {
    return [this.#fine, this.#coarse];
  }

  #advance(at: number): void {
    this.#since ??= at;
    const standing = this.#standing();
    for (const row of this.#rows()) row.advance(at, standing);
  }

  /** Adds the current flags to the newest bins. */
  #noteFlags(): void {
    const { isWatched, isUnwatched, lacksWaits, lacksRenewals } = this.#standing();
    for (const row of this.#rows()) {
      const bin = row.newest();
      if (!bin) continue;
      bin.isWatched ||= isWatched;
      bin.isUnwatched ||= isUnwatched;
      bin.lacksWaits ||= lacksWaits;
      bin.lacksRenewals ||= lacksRenewals;
    }
  }

  #standing(): Standing {
    const all = [...this.#sights];
    const watched = all.flatMap(([id, sight]) => (sight.isWatched && !this.#blind.has(id) ? [sight] : []));
    return {
      waiting: this.#waiting,
      oldest: oldestIn(
        this.#oldest,
        (source) => this.#sights.get(source)?.isWatched === true && !this.#blind.has(source),
      ),
      isWatched: watched.length > 0,
      isUnwatched: watched.length < all.length || all.length === 0,
      lacksWaits: watched.some(({ waits }) => !waits),
      lacksRenewals: watched.some(({ renewals }) => !renewals),
    };
  }
}

/** The oldest wait of the given sources. A wait of unknown beginning may be older than all others. */
function oldestIn(waits: ReadonlyMap<string, OldestWait>, isSeen: (source: string) => boolean): OldestWait | null {
  const seen = [...waits].flatMap(([source, oldest]) => (isSeen(source) ? [oldest] : []));
  if (seen.length === 0) return null;
  return { at: Math.min(...seen.map(({ at }) => at)), isAtLeast: seen.some(({ isAtLeast }) => isAtLeast) };
}

function count(bin: CountedBin, event: LockEvent): void {
  if (isOfLock(event)) bin.events++;
  if (isHandover(event)) bin.handovers++;
  switch (event.type) {
    case 'lock.acquired':
      // if the wait began before it was seen, its length is not known
      if (event.waitedMs !== undefined && !event.waitedAtLeast) addWait(bin.waits, event.waitedMs);
      break;
    case 'lock.refused':
    case 'permits.refused':
      bin.refusals++;
      break;
    case 'lease.renewed':
      if (event.cause === 'watchdog' || event.holder !== undefined) bin.renewals++;
      break;
    case 'permits.renewed':
      bin.renewals++;
      break;
    default: // the other events are not counted
  }
}

/** `due`: how many bins there would be if all of the time had been counted. */
function figuresOf(at: number, bins: readonly CountedBin[], due: number): TrendFigures {
  const oldest = { oldestWaitMs: null, oldestIsAtLeast: false };
  const unknown = {
    waiters: null,
    waitP95Ms: null,
    ...oldest,
    handovers: null,
    refusals: null,
    renewals: null,
    events: null,
  };
  if (bins.length === 0) return { at, ...unknown, seen: 'forgotten', waitsSeen: false };
  if (!bins.some(({ isWatched }) => isWatched)) return { at, ...unknown, seen: 'unwatched', waitsSeen: false };
  const isWhole = bins.length >= due && bins.every(({ isWatched, isUnwatched }) => isWatched && !isUnwatched);
  const waitsSeen = !bins.some(({ lacksWaits }) => lacksWaits);
  const sum = (of: 'handovers' | 'refusals' | 'renewals' | 'events') => bins.reduce((total, bin) => total + bin[of], 0);
  return {
    at,
    waiters: waitsSeen ? Math.max(...bins.map(({ waiters }) => waiters)) : null,
    waitP95Ms: waitsSeen ? longWait(bins.map(({ waits }) => waits)) : null,
    ...(waitsSeen ? oldestOf(bins) : oldest),
    handovers: waitsSeen ? sum('handovers') : null,
    refusals: waitsSeen ? sum('refusals') : null,
    renewals: bins.some(({ lacksRenewals }) => lacksRenewals) ? null : sum('renewals'),
    events: sum('events'),
    seen: isWhole ? 'watched' : 'partly',
    waitsSeen,
  };
}

function oldestOf(bins: readonly CountedBin[]): Pick<TrendFigures, 'oldestWaitMs' | 'oldestIsAtLeast'> {
  const ages = bins.flatMap(({ oldestMicros }) => oldestMicros ?? []);
  const oldestWaitMs = ages.length === 0 ? null : Math.max(...ages) / 1000;
  return {
    oldestWaitMs,
    oldestIsAtLeast: bins.some(({ oldestMicros, isOldestAtLeast }) => oldestMicros !== null && isOldestAtLeast),
  };
}

/** The 95th percentile of the waits (nearest rank); null without waits. */
function longWait(samples: readonly WaitSample[]): number | null {
  const waits = samples.flatMap(({ values, stride }) => values.map((ms) => ({ ms, stride })));
  waits.sort((a, b) => a.ms - b.ms);
  let left = Math.ceil(0.95 * waits.reduce((total, { stride }) => total + stride, 0));
  for (const { ms, stride } of waits) {
    left -= stride;
    if (left <= 0) return ms;
  }
  return null;
}
