import type { LockHours } from '../../shared/wire/lock-hours.ts';
import { dayTimeOf } from '../ui/zone.ts';
import type { TrendPoint, TrendSight } from './bin-trend.ts';

const HOUR_MICROS = 3_600_000_000;
const DAY_MICROS = 24 * HOUR_MICROS;
/** Up to this length, each hour has a bin of its own; else each day. */
const BY_HOUR_MICROS = 3 * DAY_MICROS;
/** The store counts with a delay of about this long. */
const LATE_MS = 30_000;

type Place = { readonly source: string; readonly db: number };
type Hour = LockHours['locks'][number]['hours'][number];

/** Figures of an hour or a day. Times are of all holders or waiters together. */
export type MonthBin = {
  /** Its first hour (µs). */
  readonly at: number;
  readonly holds: number;
  readonly heldMs: number;
  readonly waits: number;
  readonly waitedMs: number;
  readonly causedMs: number;
  readonly isAtLeast: boolean;
  /** How the source was watched (`sight`), and how well its waits were seen (`waitsSight`). */
  readonly sight: TrendSight;
  readonly waitsSight: TrendSight;
};

export type LockMonth = { readonly isByHour: boolean; readonly binMicros: number; readonly bins: readonly MonthBin[] };
/** The figures that have a chart. */
export type MonthFigure = 'holds' | 'heldMs' | 'waitedMs' | 'causedMs';

/**
 * The hours of one lock, or its days in the chosen time zone, from when the store began to count. Null: there is no
 * store, or it counted nothing in this range.
 */
export function monthOfLock(hours: LockHours, { source, db }: Place): LockMonth | null {
  const { from, to: end, since } = hours;
  if (since === null) return null;
  const begin = Math.max(from, hourOf(since));
  if (begin >= end) return null;
  const isByHour = end - begin <= BY_HOUR_MICROS;
  const counted = new Map(
    hours.locks.find((lock) => lock.source === source && lock.db === db)?.hours.map((hour) => [hour.at, hour]),
  );
  const watched = new Map(hours.watched.find((each) => each.source === source)?.hours.map((hour) => [hour.at, hour]));
  const days = new Map<string | number, SumOfHours>();
  for (let at = begin; at < end; at += HOUR_MICROS) {
    const key = isByHour ? at : dayOf(at);
    const sum = days.get(key) ?? new SumOfHours(at);
    days.set(key, sum);
    sum.add(counted.get(at), watched.get(at), Math.min(at + HOUR_MICROS, end) - Math.max(at, since));
  }
  const bins = [...days.values()];
  const last = bins.at(-1);
  return {
    isByHour,
    binMicros: isByHour ? HOUR_MICROS : DAY_MICROS,
    bins: bins.map((sum) => sum.bin(sum === last ? LATE_MS : 0)),
  };
}

/** The points of one figure. Waits are hidden where no level showed them. */
export function monthPoints({ bins }: Pick<LockMonth, 'bins'>, figure: MonthFigure): readonly TrendPoint[] {
  return bins.map((bin) => {
    const { at, isAtLeast } = bin;
    const sight = figure === 'holds' || figure === 'heldMs' ? bin.sight : bin.waitsSight;
    const isKnown = sight === 'watched' || sight === 'partly' || bin[figure] > 0;
    return { at, value: isKnown ? bin[figure] : null, sight, isAtLeast: isAtLeast || sight !== 'watched' };
  });
}

/** The days or hours in which the lock cost others most, the most expensive first. */
export function mostExpensive({ bins }: LockMonth, most: number): readonly MonthBin[] {
  return bins
    .filter(({ causedMs }) => causedMs > 0)
    .sort((a, b) => b.causedMs - a.causedMs)
    .slice(0, most);
}

class SumOfHours {
  readonly #at: number;
  #sums = { holds: 0, heldMs: 0, waits: 0, waitedMs: 0, causedMs: 0 };
  #isAtLeast = false;
  #lengthMs = 0;
  #watchedMs = 0;
  #waitsSeenMs = 0;

  constructor(at: number) {
    this.#at = at;
  }

  /** `micros`: how much of the hour is over, and counted. */
  add(hour: Hour | undefined, watched: { watchedMs: number; waitsSeenMs: number } | undefined, micros: number): void {
    this.#lengthMs += micros / 1000;
    this.#watchedMs += watched?.watchedMs ?? 0;
    this.#waitsSeenMs += watched?.waitsSeenMs ?? 0;
    if (!hour) return;
    const { holds, heldMs, waits, waitedMs, causedMs } = this.#sums;
    this.#sums = {
      holds: holds + hour.holds,
      heldMs: heldMs + hour.heldMs,
      waits: waits + hour.waits,
      waitedMs: waitedMs + hour.waitedMs,
      causedMs: causedMs + hour.causedMs,
    };
    this.#isAtLeast ||= hour.isAtLeast;
  }

  /** `lateMs`: how much of the bin may not be counted yet. */
  bin(lateMs: number): MonthBin {
    const isAll = (ms: number) => ms > 0 && ms >= this.#lengthMs - lateMs - 1;
    const [watched, waits] = [this.#watchedMs, this.#waitsSeenMs];
    const sight = isAll(watched) ? 'watched' : watched > 0 ? 'partly' : 'unwatched';
    const waitsSight = isAll(waits) ? 'watched' : waits > 0 ? 'partly' : watched > 0 ? 'hidden' : 'unwatched';
    return { at: this.#at, ...this.#sums, isAtLeast: this.#isAtLeast, sight, waitsSight };
  }
}

function hourOf(at: number): number {
  return Math.floor(at / HOUR_MICROS) * HOUR_MICROS;
}

/** The day in which an hour begins. In a zone with half hours, an hour over midnight belongs to the day before. */
function dayOf(at: number): string {
  const { year, month, day } = dayTimeOf(at);
  return `${year}-${month}-${day}`;
}
