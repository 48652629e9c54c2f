import type { Effect } from './effects.ts';

/** A key, in its database. */
type Place = { readonly db: number; readonly name: string };

/**
 * The keys whose content the stream does not show after a command that gives or takes it; `undefined`: any other
 * command.
 *
 *   RESTORE k …          k
 *   COPY k l DB 2        l in database 2
 *   MOVE k 2             k, here and in database 2
 *   SORT k … STORE l     l; without STORE, no key
 *   GEORADIUS k … STORE l
 *   LMOVE k l …          k and l
 *   MSET k 1 l 2         k and l
 *   BITOP AND l k        l
 */
export function keysNotShown({ db, words }: Effect): readonly Place[] | undefined {
  const [command = '', name = '', second = ''] = words;
  switch (command) {
    case 'RESTORE':
      return [{ db, name }];
    case 'COPY':
      return [{ db: databaseOfCopy(words) ?? db, name: second }];
    case 'MOVE':
      return [
        { db, name },
        { db: Number(second), name },
      ];
    case 'SORT':
      return placesOf(db, targetOfSort(words.slice(2)));
    case 'GEORADIUS':
      return placesOf(db, targetOfSearch(words.slice(6)));
    case 'GEORADIUSBYMEMBER':
      return placesOf(db, targetOfSearch(words.slice(5)));
    case 'LMOVE':
    case 'RPOPLPUSH':
    case 'SMOVE':
      return placesOf(db, name, second);
    case 'MSET':
    case 'MSETNX':
      return placesOf(db, ...words.filter((_, n) => n % 2 === 1));
    case 'BITOP':
      return placesOf(db, second);
    default:
      return undefined;
  }
}

function placesOf(db: number, ...names: readonly (string | undefined)[]): Place[] {
  return names.flatMap((name) => (name === undefined ? [] : [{ db, name }]));
}

/** COPY key key [DB database] [REPLACE] */
function databaseOfCopy(words: readonly string[]): number | undefined {
  const at = words.findIndex((word, n) => n > 2 && word.toUpperCase() === 'DB');
  return at < 0 ? undefined : Number(words[at + 1]);
}

/** How many words follow an option of SORT. */
const WORDS_OF_SORT: Readonly<Record<string, number>> = { LIMIT: 2, BY: 1, GET: 1 };

/** The key that SORT writes. `options`: its words after the key. */
export function targetOfSort(options: readonly string[]): string | undefined {
  let target: string | undefined;
  for (let n = 0; n < options.length; n++) {
    const option = options[n]?.toUpperCase() ?? '';
    if (option === 'STORE') target = options[++n];
    else n += WORDS_OF_SORT[option] ?? 0;
  }
  return target;
}

/** The key that GEORADIUS writes. `options`: its words after the unit. */
function targetOfSearch(options: readonly string[]): string | undefined {
  const at = options.findLastIndex((option) => /^STORE(?:DIST)?$/i.test(option));
  return at < 0 ? undefined : options[at + 1];
}
