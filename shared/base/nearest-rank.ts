/**
 * A quantile of sorted numbers by nearest rank: for `part` 0.5 the median, which of an even count is the lower of the
 * two in the middle. Undefined without numbers.
 */
export function nearestRank(sorted: readonly number[], part: number): number | undefined {
  return sorted[Math.ceil(sorted.length * part) - 1];
}
