import { isHolder } from './names.ts';

/*
 * Fields of the hash of a group lock (`getMultiLock(group, values)`, 3.38.0 on). V is the hash of a value:
 *
 *   V                          uuid:thread, its holder
 *   V:uuid:thread:expire_time  when the hold expires, in ms by that client's clock
 *   V:uuid:thread:lock_count   the hold count
 */

/** The length of V in characters, without padding. */
const VALUE_LENGTH = 22;
/** The length of V with the two `=` that may pad it. */
const LONGEST_VALUE = 24;
const VALUE = /^[A-Za-z0-9+/_-]{22}(?:==)?$/;
const FIELD_OF_VALUE = /^([A-Za-z0-9+/_-]{22}(?:==)?):(.+):(expire_time|lock_count)$/s;

/** Whether a word is a value of a group lock, as Redisson hashes it. */
export function isGroupValue(word: string): boolean {
  return word.length >= VALUE_LENGTH && word.length <= LONGEST_VALUE && VALUE.test(word);
}

/** Reads the value and the holder from the name of a group lock's field; undefined for any other field. */
export function parseValueField(
  field: string,
): { value: string; holder: string; of: 'expire_time' | 'lock_count' } | undefined {
  if (!field.endsWith(':expire_time') && !field.endsWith(':lock_count')) return undefined;
  const [, value, holder, of] = FIELD_OF_VALUE.exec(field) ?? [];
  if (value === undefined || holder === undefined || !isHolder(holder)) return undefined;
  return { value, holder, of: of as 'expire_time' | 'lock_count' }; // `FIELD_OF_VALUE` matches only these words
}

/** Whether the hash of a group lock may have this field with this value. */
export function isGroupLockField(field: string, value: string): boolean {
  return isGroupValue(field) ? isHolder(value) : parseValueField(field) !== undefined && /^-?\d{1,15}$/.test(value);
}

/** Like `isGroupLockField`, for a field whose value is not known. */
export function isGroupLockFieldName(field: string): boolean {
  return isGroupValue(field) || parseValueField(field) !== undefined;
}
