import type { Family } from './family.ts';

/**
 * A lock or semaphore in a sorted set, as several libraries and stores have: a member for each holder, scored with a time.
 * Members whose time is over are removed first.
 *
 *   zremrangebyscore K -inf now → zcard|zscore K [→ zadd K end holder → pexpire K]
 *
 * Such a script shows the key, but not in all libraries which member is a holder, nor how many there may be.
 */
export const SET_OF_HOLDERS: Family = {
  kind: 'token-lock',
  begins: ['zremrangebyscore'],
  recognise({ keys, lines, names }) {
    const [key = ''] = keys;
    const isOfKey = lines.every(({ words }) => keys.includes(words[1] ?? ''));
    const isCounted = names.includes('zcard') || names.includes('zscore');
    const [first] = lines;
    if (!first || !isOfKey || !isCounted) return undefined;
    return [{ do: 'strange-lock', at: first.at, key, form: 'sorted-set' }];
  },
};
