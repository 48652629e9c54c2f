/**
 * Largest weight of the events in one message, and of its locks, and of the ids that are gone. Escapes may make their
 * text six times as long. Together, that is still below the longest possible string (512 MB), above which
 * `JSON.stringify` throws.
 */
export const MOST_WEIGHT = 16_000_000;
const PER_VALUE = 16;

/** Estimates how many characters a value has as JSON. Much cheaper than making the JSON. */
export function weightOf(value: unknown): number {
  if (typeof value === 'string') return PER_VALUE + value.length;
  if (typeof value !== 'object' || value === null) return PER_VALUE;
  let weight = PER_VALUE;
  if (Array.isArray(value)) for (const element of value) weight += weightOf(element);
  else for (const [name, field] of Object.entries(value)) weight += name.length + weightOf(field);
  return weight;
}

/** The values that fit into a weight together, in order. Leaves out values that are too heavy. */
export function fitting<T>(values: readonly T[], most: number): T[] {
  let left = most;
  return values.filter((value) => {
    const weight = weightOf(value);
    const fits = weight <= left;
    if (fits) left -= weight;
    return fits;
  });
}

/** How many values, from the first on, fit into one message together. */
export function countFitting(values: Iterable<unknown>): number {
  let left = MOST_WEIGHT;
  let count = 0;
  for (const value of values) {
    left -= weightOf(value);
    if (left < 0) break;
    count++;
  }
  return count;
}
