import { storeOf } from '../events/recognise/commands/collection-commands.ts';
import { databaseOfCopy, targetOfSort } from '../events/recognise/commands/key-commands.ts';
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
  const args = words.slice(1);
  switch (command) {
    case 'RESTORE':
      return [{ db, name }];
    case 'COPY':
      return [{ db: databaseOfCopy(words.slice(3), db) ?? db, name: second }];
    case 'MOVE':
      return [
        { db, name },
        { db: Number(second), name },
      ];
    case 'SORT':
      return placesOf(db, targetOfSort(args));
    case 'GEORADIUS':
    case 'GEORADIUSBYMEMBER':
      return placesOf(db, storeOf(args));
    case 'LMOVE':
    case 'RPOPLPUSH':
    case 'SMOVE':
      return placesOf(db, [name, second]);
    case 'MSET':
    case 'MSETNX':
      return placesOf(
        db,
        args.filter((_, n) => n % 2 === 0),
      );
    case 'BITOP':
      return placesOf(db, [second]);
    default:
      return undefined;
  }
}

function placesOf(db: number, names: readonly string[]): Place[] {
  return names.map((name) => ({ db, name }));
}
