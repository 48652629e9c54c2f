/**
 * The value below or at which this part of the sorted numbers lies, by nearest rank: the median (0.5) of an even count is the
 * lower of the two in the middle. Undefined without numbers.
 */
export function nearestRank(sorted: readonly number[], part: number): number | undefined {
  return sorted[Math.ceil(sorted.length * part) - 1];
}
