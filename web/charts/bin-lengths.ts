import { nearestRank } from '../../shared/base/nearest-rank.ts';
import { COARSE_LENGTHS, FINE_LENGTHS } from '../../shared/base/round-lengths.ts';

/** One bar of a histogram: lengths of at least `from` and less than `to`, in ms. */
export type LengthBin = { readonly from: number; readonly to: number; readonly count: number };

/** More bars could not be distinguished. */
const MOST_BINS = 24;

/**
 * Counts lengths into bars between round lengths, so that holds of 3 ms and of 3 min fit into one chart. The bars reach
 * from the shortest to the longest length, including empty bars. If that needs more than 24 bars, wider ones are
 * used: each ends at about ten times its beginning.
 */
export function binLengths(lengthsMs: readonly number[]): LengthBin[] {
  if (lengthsMs.length === 0) return [];
  const fine = binsBetween(lengthsMs, FINE_LENGTHS);
  return fine.length <= MOST_BINS ? fine : binsBetween(lengthsMs, COARSE_LENGTHS);
}

function binsBetween(lengthsMs: readonly number[], bounds: readonly number[]): LengthBin[] {
  const counts = new Map<number, number>();
  for (const ms of lengthsMs) {
    // shorter lengths count into the first bar, longer ones into the last
    const index = Math.min(
      bounds.length - 2,
      Math.max(
        0,
        bounds.findLastIndex((bound) => bound <= ms),
      ),
    );
    counts.set(index, (counts.get(index) ?? 0) + 1);
  }
  const first = Math.min(...counts.keys());
  const last = Math.max(...counts.keys());
  return Array.from({ length: last - first + 1 }, (_, n) => ({
    from: bounds[first + n] ?? 0,
    to: bounds[first + n + 1] ?? 0,
    count: counts.get(first + n) ?? 0,
  }));
}

/** Count, median and maximum; median and maximum are null if the count is 0. */
type Spread = { readonly count: number; readonly medianMs: number | null; readonly maxMs: number | null };

/** Returns the spread of lengths in ms, with the median by nearest rank, as on the Waits page. */
export function spreadOf(lengthsMs: readonly number[]): Spread {
  const sorted = [...lengthsMs].sort((a, b) => a - b);
  const count = sorted.length;
  if (count === 0) return { count, medianMs: null, maxMs: null };
  return { count, medianMs: nearestRank(sorted, 0.5) ?? null, maxMs: sorted[count - 1] ?? null };
}
