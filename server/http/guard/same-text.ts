import { createHash, timingSafeEqual } from 'node:crypto';

/** Compares in constant time, even if the lengths differ. */
export function isSameText(given: string | undefined, expected: string): boolean {
  if (given === undefined) return false;
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
