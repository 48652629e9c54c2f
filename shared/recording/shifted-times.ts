/** A number is taken for a time if it is less than this far from `near`. */
const DAY_MICROS = 86_400_000_000;

/**
 * Returns the value with all its times `shift` µs later, a whole number of ms. `near` is a time of the same recording.
 *
 * Signals and events have times in µs. Clients write times in ms into the keys of fair locks and of semaphores, so a
 * lock whose key says "until 12:04" would otherwise have expired long ago. Any number of one of these two sizes within
 * a day of the recording is a time: no count, lease or TTL is near it.
 */
export function shiftedTimes<T>(value: T, near: number, shift: number): T {
  const shiftedNumber = (n: number): number => {
    if (Math.abs(n - near) < DAY_MICROS) return n + shift;
    return Math.abs(n * 1000 - near) < DAY_MICROS ? n + shift / 1000 : n;
  };
  const shifted = (part: unknown): unknown => {
    if (typeof part === 'number') return shiftedNumber(part);
    if (typeof part === 'string') return /^\d{13,16}$/.test(part) ? String(shiftedNumber(Number(part))) : part;
    if (Array.isArray(part)) return part.map(shifted);
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([name, each]) => [name, shifted(each)]));
  };
  return shifted(value) as T; // the same shape, with other numbers
}
