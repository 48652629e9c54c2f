import { textFromBinary } from '../../../shared/base/bytes-text.ts';
import { isLockName, tokenLockFrom } from '../../../shared/events/libraries/token-found.ts';
import type { Ask } from './key-sizes.ts';

/** How many characters of a value are looked at: a longer value is not taken for a token. */
export const MOST_TOKEN_CHARACTERS = 160;

/** The names, as binary, of the string keys that are locks by name and value. */
export async function tokenLocksAmong(
  ask: Ask,
  db: number,
  keys: readonly string[],
  isNamed: boolean,
): Promise<string[]> {
  const likely = keys.filter((key) => isNamed || isLockName(key));
  if (likely.length === 0) return [];
  const looks = likely.flatMap((key) => [
    ['GETRANGE', key, '0', String(MOST_TOKEN_CHARACTERS - 1)],
    ['PTTL', key],
  ]);
  const [, ...seen] = await ask(['SELECT', String(db)], ...looks);
  return likely.filter((key, index) => {
    const [value, pttl] = [seen[index * 2], seen[index * 2 + 1]];
    if (typeof value !== 'string' || typeof pttl !== 'number') return false;
    return tokenLockFrom(textFromBinary(key), textFromBinary(value), pttl >= 0, isNamed) !== undefined;
  });
}
