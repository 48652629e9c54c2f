/**
 * What one message may weigh. Escapes may make the text six times as long; that is still far from the longest string
 * there can be (512 MB), where `JSON.stringify` throws.
 */
export const MOST_WEIGHT = 16_000_000;
const PER_VALUE = 16;

/** About how many characters a value takes as JSON: much cheaper than to make the JSON. */
export function weightOf(value: unknown): number {
  if (typeof value === 'string') return PER_VALUE + value.length;
  if (typeof value !== 'object' || value === null) return PER_VALUE;
  let weight = PER_VALUE;
  if (Array.isArray(value)) for (const element of value) weight += weightOf(element);
  else for (const [name, field] of Object.entries(value)) weight += name.length + weightOf(field);
  return weight;
}

/** Those values that fit into a weight together, in their order: one that is too heavy is left out, and lighter ones follow. */
export function fitting<T>(values: readonly T[], most: number): T[] {
  let left = most;
  return values.filter((value) => {
    const weight = weightOf(value);
    const fits = weight <= left;
    if (fits) left -= weight;
    return fits;
  });
}

/** How many values from the beginning fit into a weight together. */
export function countFitting(values: Iterable<unknown>, most: number): number {
  let left = most;
  let count = 0;
  for (const value of values) {
    left -= weightOf(value);
    if (left < 0) break;
    count++;
  }
  return count;
}
