import type { RedisTime } from '../../../base/time.ts';
import type { LineSignal } from '../../../signals/signal.ts';
import type { Action } from '../../action.ts';
import { latchDelete } from '../unlock-latch.ts';
import { versionOfAnswer } from '../version-evidence.ts';
import { type CommandTable, type Effect, hasWord, NOTHING, rowsFor } from './command-row.ts';
import { areConditions, expiryOf } from './ends.ts';

const DELETES: Effect = { keys: 'any', does: deletions };
const EXPIRES: Effect = { keys: 'first', does: expiry };

/** Commands on keys of any type. */
export const KEY_COMMANDS: CommandTable = {
  ...rowsFor(['DEL', 'UNLINK'], DELETES),
  ...rowsFor(['EXPIRE', 'PEXPIRE', 'EXPIREAT', 'PEXPIREAT'], EXPIRES),
  PERSIST: { keys: 'first', does: persisted },
  RENAME: { keys: 'any', does: renamed },
  RENAMENX: { keys: 'any', does: renamed },
  MOVE: { keys: 'first', does: moved },
  COPY: { keys: 'any', does: copied },
  RESTORE: { keys: 'first', does: restored },
  'RESTORE-ASKING': { keys: 'first', does: ({ at, words }) => [{ at, do: 'arrive', key: words[1] ?? '' }] },
  MIGRATE: { keys: 'any', reads: keysOfMigrate },
  SORT: { keys: 'any', reads: targetOfSort },
};

function deletions({ at, words }: LineSignal): readonly Action[] {
  const [name = '', first = ''] = words;
  const command = name.toUpperCase();
  if (words.length === 2) return deletion(first, at, command);
  return words.slice(1).flatMap((key) => deletion(key, at, command));
}

function deletion(key: string, at: RedisTime, command: string): Action[] {
  const answer = latchDelete(key, at);
  return answer ? [...versionOfAnswer(answer), answer] : [{ at, do: 'delete', key, command }];
}

function expiry({ at, words }: LineSignal): readonly Action[] {
  const [name = '', key = '', end = '', ...options] = words;
  const command = name.toUpperCase();
  const expiresAt = expiryOf(command, at, end);
  const conditions = options.map((word) => word.toUpperCase());
  if (expiresAt === undefined || !areConditions(conditions)) return NOTHING;
  return [{ at, do: 'set-expiry', key, command, expiresAt, conditions }];
}

function persisted({ at, words }: LineSignal): Action[] {
  return [{ at, do: 'set-expiry', key: words[1] ?? '', command: 'PERSIST', expiresAt: null, conditions: [] }];
}

/** RENAME replaces its target, unless there is no key to rename. RENAMENX does nothing if there is a target. */
function renamed({ at, db, words }: LineSignal): readonly Action[] {
  const [name = '', key = '', target] = words;
  if (target === undefined || target === key) return NOTHING;
  const command = name.toUpperCase();
  const arrival = { at, do: 'arrive', key: target, here: db } as const;
  if (command === 'RENAMENX') return [{ at, do: 'delete', key, command, mayFail: 'always' }, arrival];
  return [{ at, do: 'delete', key, command }, { at, do: 'delete', key: target, command, mayFail: 'always' }, arrival];
}

function moved({ at, db, words }: LineSignal): readonly Action[] {
  const [, key = '', target] = words;
  const targetDb = databaseFrom(target);
  if (targetDb === db) return NOTHING;
  return [
    { at, do: 'delete', key, command: 'MOVE' },
    ...(targetDb === undefined ? [] : [{ at, do: 'arrive', key, here: targetDb } as const]),
  ];
}

/** COPY writes its target in its own database or the one that it names, and replaces a lock there only with REPLACE. */
function copied({ at, db, words }: LineSignal): readonly Action[] {
  const [, key, target, ...options] = words;
  const targetDb = databaseOfCopy(options, db);
  if (target === undefined || targetDb === undefined || (target === key && targetDb === db)) return NOTHING;
  const isReplaced = hasWord(options, 'REPLACE') && targetDb === db;
  return [
    ...(isReplaced ? [{ at, do: 'delete', key: target, command: 'COPY', mayFail: 'always' } as const] : []),
    { at, do: 'arrive', key: target, here: targetDb },
  ];
}

function restored({ at, db, words }: LineSignal): Action[] {
  const [, key = '', , , ...options] = words;
  const isReplaced = hasWord(options, 'REPLACE');
  return [
    ...(isReplaced ? [{ at, do: 'delete', key, command: 'RESTORE', mayFail: 'always' } as const] : []),
    { at, do: 'arrive', key, here: db },
  ];
}

/** The database to which COPY copies, with these options, in database `db`; undefined: it is not a number. */
export function databaseOfCopy(options: readonly string[], db: number): number | undefined {
  const named = options.findLastIndex((word) => word.toUpperCase() === 'DB');
  return named < 0 ? db : databaseFrom(options[named + 1]);
}

/** MIGRATE host port key|"" db timeout … [KEYS key …] */
function keysOfMigrate(args: readonly string[]): readonly string[] {
  const list = args.findIndex((word, n) => n > 4 && word.toUpperCase() === 'KEYS');
  return list < 0 ? args.slice(2, 3) : args.slice(list + 1);
}

/** How many words follow an option of SORT. */
const WORDS_OF_SORT: Readonly<Record<string, number>> = { LIMIT: 2, BY: 1, GET: 1, STORE: 1 };

/** The key that SORT replaces, from its words after the name; none without STORE. A pattern may be the word STORE. */
export function targetOfSort(args: readonly string[]): readonly string[] {
  let target: readonly string[] = [];
  for (let n = 1; n < args.length; n++) {
    const option = args[n]?.toUpperCase() ?? '';
    if (option === 'STORE') target = args.slice(n + 1, n + 2);
    n += WORDS_OF_SORT[option] ?? 0;
  }
  return target;
}

function databaseFrom(word: string | undefined): number | undefined {
  return word !== undefined && /^\d{1,9}$/.test(word) ? Number(word) : undefined;
}
