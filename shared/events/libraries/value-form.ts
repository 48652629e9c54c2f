/** A value without its numbers: `web-1:4711:7` and `web-1:4711:8` have one form. */
export function formOf(value: string): string {
  return value.replace(/\d+/g, '0');
}

/**
 * Whether a value may be the next one of the client that wrote the one before: only numbers differ, and the first of them that differs
 * has grown. A heartbeat writes such values: `web-1:4711:7`, then `web-1:4711:8`.
 */
export function isNextValue(before: string, after: string): boolean {
  if (formOf(before) !== formOf(after)) return false;
  const numbers = numbersIn(before);
  const [old, next] =
    numbersIn(after).flatMap((number, n) => (number === numbers[n] ? [] : [[numbers[n], number]]))[0] ?? [];
  return old !== undefined && next !== undefined && BigInt(next) > BigInt(old);
}

const numbersIn = (value: string) => value.match(/\d+/g) ?? [];
