import type { ShownWaits } from '../../data/queries/waits.ts';
import { isLater } from '../waits-text.ts';

/**
 * A figure by which two ranges are compared, with its number of samples. `isAtLeast`: the value is a lower bound. It is
 * a sum of lengths, and the beginning of at least one of them was not seen.
 */
export type Measured = { readonly value: number; readonly samples: number; readonly isAtLeast?: true | undefined };

/**
 * Why a part of a range is not among its figures. `until`: the figures begin at this instant; with `so-far`, they end at
 * it.
 */
export type Gap =
  | { readonly why: 'later' | 'cut' | 'so-far'; readonly until: number }
  | { readonly why: 'unwatched' | 'level'; readonly source: string; readonly ms: number };

/**
 * How two ranges differ in one figure, or why that is not known. `samples`: their number in each range. `isPerMinute`:
 * the figure is a sum.
 */
export type Change =
  | { readonly ratio: number; readonly samples: readonly [number, number]; readonly isPerMinute?: true }
  /** One range has too few samples: each range needs `needed`. */
  | { readonly no: 'few'; readonly samples: readonly [number, number]; readonly needed: number }
  /** A sum is compared only if each of the two ranges was seen as a whole. */
  | { readonly no: 'partly' }
  /** Level monitor was off for a part of a range: other levels see other holds and waits. */
  | { readonly no: 'level' }
  /** The figure of the range to compare with is 0, so there is no ratio. */
  | { readonly no: 'zero' }
  | { readonly no: 'not-loaded' };

type Sight = Pick<ShownWaits, 'from' | 'to' | 'askedFrom' | 'askedTo' | 'isCut' | 'unseen'>;

/** How many samples each range needs for a ratio of medians, sums or counts. */
export const NEEDED = 20;
/** As `NEEDED`, for 95th percentiles: only one of 20 samples is above the percentile, so more samples are needed. */
export const NEEDED_P95 = 100;
/** A range may end earlier by this much: the clock of Redis is not known exactly. */
const SMALL_MICROS = 1_000_000;

/** The parts of a range that are not among its figures. */
export function gapsOf(waits: Sight): Gap[] {
  const { from, to, askedTo, isCut, unseen } = waits;
  const gaps: Gap[] = [];
  if (isLater(waits)) gaps.push({ why: 'later', until: from });
  if (isCut) gaps.push({ why: 'cut', until: from });
  if (askedTo !== null && askedTo - to > SMALL_MICROS) gaps.push({ why: 'so-far', until: to });
  for (const { source, reason, ms } of unseen) gaps.push({ why: reason, source, ms });
  return gaps;
}

/** The length of the range that is counted, in minutes. */
function minutesOf({ from, to }: Pick<ShownWaits, 'from' | 'to'>): number {
  return (to - from) / 60_000_000;
}

type Pair<T> = { readonly one: T; readonly other: T };

/** The ratio of a median, or of another figure about single holds or waits. A part of each range is enough for it. */
export function changeOfEach(
  sights: Pair<Sight | undefined>,
  measured: Pair<Measured | null>,
  needed: number = NEEDED,
): Change {
  const { one, other } = sights;
  if (!one || !other) return { no: 'not-loaded' };
  if ([...one.unseen, ...other.unseen].some(({ reason }) => reason === 'level')) return { no: 'level' };
  return ratioOf(measured, needed);
}

/** The ratio of a sum or count per minute. It is known only if both ranges were seen as a whole. */
export function changeOfSum(sights: Pair<Sight | undefined>, measured: Pair<Measured>): Change {
  const { one, other } = sights;
  if (!one || !other) return { no: 'not-loaded' };
  if (gapsOf(one).length > 0 || gapsOf(other).length > 0) return { no: 'partly' };
  if (measured.one.isAtLeast || measured.other.isAtLeast) return { no: 'partly' };
  const perMinute = (sum: Measured, sight: Sight) => ({ ...sum, value: sum.value / minutesOf(sight) });
  const change = ratioOf({ one: perMinute(measured.one, one), other: perMinute(measured.other, other) }, NEEDED);
  return 'ratio' in change ? { ...change, isPerMinute: true } : change;
}

function ratioOf({ one, other }: Pair<Measured | null>, needed: number): Change {
  const samples = [one?.samples ?? 0, other?.samples ?? 0] as const;
  if (!one || !other || Math.min(...samples) < needed) return { no: 'few', samples, needed };
  return other.value === 0 ? { no: 'zero' } : { ratio: one.value / other.value, samples };
}

/** For how long two ranges overlap, in ms; 0 if they do not. */
export function overlapMs(one: Pick<Sight, 'from' | 'to'>, other: Pick<Sight, 'from' | 'to'>): number {
  return Math.max(0, Math.min(one.to, other.to) - Math.max(one.from, other.from)) / 1000;
}
