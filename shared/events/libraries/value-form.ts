/** The form of a value is its text without the numbers: `web-1:4711:7` and `web-1:4711:8` have one form. */
export function formOf(value: string): string {
  return value.replace(/\d+/g, '0');
}

/**
 * Whether a value is the next one of the client that wrote the one before: only numbers differ, and the first of them
 * that differs has grown. This number must be a time, or follow another number: `worker-2` after `worker-1` is another
 * client.
 *
 *   web-1:4711:7            web-1:4711:8
 *   worker-1@1795218454     worker-1@1795218455
 */
export function isNextValue(before: string, after: string): boolean {
  if (formOf(before) !== formOf(after)) return false;
  const numbers = numbersIn(before);
  const next = numbersIn(after);
  const n = next.findIndex((number, place) => number !== numbers[place]);
  const [from, to] = [numbers[n], next[n]];
  if (from === undefined || to === undefined || (n === 0 && to.length < DIGITS_OF_TIME)) return false;
  return BigInt(to) > BigInt(from);
}

/** Seconds since 1970 have ten digits. */
const DIGITS_OF_TIME = 10;

const numbersIn = (value: string) => value.match(/\d+/g) ?? [];
