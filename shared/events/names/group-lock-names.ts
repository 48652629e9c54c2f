import { isHolder } from './names.ts';

/**
 * Fields of the hash of a group lock (`getMultiLock(group, values)`, 3.38.0 on). Values are there by their hash only:
 *
 *   V                          uuid:thread, who has it
 *   V:uuid:thread:expire_time  until when, in ms by that client's clock
 *   V:uuid:thread:lock_count   how often
 */
const VALUE_LENGTH = 22;
/** With the two signs that may fill it up. */
const LONGEST_VALUE = 24;
const VALUE = /^[A-Za-z0-9+/_-]{22}(?:==)?$/;
const OF_HOLDER = /^([A-Za-z0-9+/_-]{22}(?:==)?):(.+):(expire_time|lock_count)$/s;

/** Whether a word is a value of a group lock, as Redisson hashes it. */
export function isGroupValue(word: string): boolean {
  return word.length >= VALUE_LENGTH && word.length <= LONGEST_VALUE && VALUE.test(word);
}

/** What a field says of one value and holder; undefined for any other field. */
export function parseValueField(
  field: string,
): { value: string; holder: string; of: 'expire_time' | 'lock_count' } | undefined {
  if (!field.endsWith(':expire_time') && !field.endsWith(':lock_count')) return undefined;
  const [, value, holder, of] = OF_HOLDER.exec(field) ?? [];
  if (value === undefined || holder === undefined || !isHolder(holder)) return undefined;
  return { value, holder, of: of as 'expire_time' | 'lock_count' }; // by the expression
}

/** Whether a field, with its value, is one that the hash of a group lock may have. */
export function isGroupLockField(field: string, value: string): boolean {
  return isGroupValue(field) ? isHolder(value) : parseValueField(field) !== undefined && /^-?\d{1,15}$/.test(value);
}

/** Whether a field may be one of a group lock, by its name. */
export function isGroupLockFieldName(field: string): boolean {
  return isGroupValue(field) || parseValueField(field) !== undefined;
}
