/** One bar of a histogram: lengths of at least `from` and less than `to`, in ms. */
export type LengthBin = { readonly from: number; readonly to: number; readonly count: number };

/** More bars could not be distinguished. */
const MOST_BINS = 24;

/**
 * Counts lengths into bars with bounds 1, 2, 5, 10, 20, …, so that holds of 3 ms and of 3 min fit into one chart. The
 * bars reach from the shortest to the longest length, including empty bars. If there would be more than `most` bars,
 * the bounds are powers of ten.
 */
export function binLengths(lengthsMs: readonly number[], most = MOST_BINS): LengthBin[] {
  if (lengthsMs.length === 0) return [];
  const fine = binsBy(lengthsMs, [1, 2, 5]);
  return fine.length <= most ? fine : binsBy(lengthsMs, [1]);
}

function binsBy(lengthsMs: readonly number[], steps: readonly number[]): LengthBin[] {
  const counts = new Map<number, number>();
  for (const ms of lengthsMs) {
    const rank = rankOf(ms, steps);
    counts.set(rank, (counts.get(rank) ?? 0) + 1);
  }
  const first = Math.min(...counts.keys());
  const last = Math.max(...counts.keys());
  return Array.from({ length: last - first + 1 }, (_, n) => ({
    from: boundOf(first + n, steps),
    to: boundOf(first + n + 1, steps),
    count: counts.get(first + n) ?? 0,
  }));
}

/** Shorter lengths count as 1 µs. */
const SHORTEST_MS = 0.001;

/** Returns the index of the bar that contains a length. */
function rankOf(ms: number, steps: readonly number[]): number {
  const length = Math.max(ms, SHORTEST_MS);
  let rank = Math.floor(Math.log10(length)) * steps.length;
  // logarithms are inexact: correct the index until the bounds contain the length
  while (boundOf(rank + 1, steps) <= length) rank++;
  while (boundOf(rank, steps) > length) rank--;
  return rank;
}

function boundOf(rank: number, steps: readonly number[]): number {
  const decade = Math.floor(rank / steps.length);
  const step = steps[rank - decade * steps.length] ?? 1;
  return decade >= 0 ? step * 10 ** decade : step / 10 ** -decade;
}

/** Count, median and maximum; median and maximum are null if the count is 0. */
export type Spread = { readonly count: number; readonly medianMs: number | null; readonly maxMs: number | null };

/** Returns the spread of lengths in ms. For an even count, the median is the upper of the two middle lengths. */
export function spreadOf(lengthsMs: readonly number[]): Spread {
  const sorted = [...lengthsMs].sort((a, b) => a - b);
  const count = sorted.length;
  if (count === 0) return { count, medianMs: null, maxMs: null };
  return { count, medianMs: sorted[Math.floor(count / 2)] ?? null, maxMs: sorted[count - 1] ?? null };
}
