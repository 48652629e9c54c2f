import type { LineSignal } from '../../../signals/signal.ts';
import type { Action } from '../../action.ts';
import { isNameOfForm } from '../../libraries/token-found.ts';
import type { StrangeForm } from '../../types/strange-form.ts';

/**
 * One command of Redis or Valkey, as far as it matters to locks. Each command is one row of a table (`commands.ts`),
 * and has one of three forms:
 *
 *   does      its arguments show what it does to its keys
 *   reads     it may change keys, but no argument shows how: each of these keys that is a lock is read again
 *   ignored   it cannot matter to a lock, for the reason given in its row
 */
export type CommandRow = Effect | Read | Ignored;

/**
 * Which arguments of the command may be its keys. The line of a plain command is kept if one of these keys is a known
 * lock. `server/redis/lines/line-filter.ts` keeps further lines, for example of SET with NX.
 */
export type Keys = 'first' | 'any' | 'none';

export type Effect = { readonly keys: Keys; does(line: LineSignal): readonly Action[] };
/** `reads`: the keys that it may change, from its arguments. */
type Read = { readonly keys: Keys; reads(args: readonly string[]): readonly string[] };
type Ignored = { readonly ignored: string };

export type CommandTable = Readonly<Record<string, CommandRow>>;

export const NOTHING: readonly Action[] = [];

/** The first argument is the only key that the command may change. */
export const READS_FIRST: Read = { keys: 'first', reads: (args) => args.slice(0, 1) };
/** The command may change the keys in its first two arguments. */
export const READS_TWO: Read = { keys: 'any', reads: (args) => args.slice(0, 2) };
/** Any of its arguments may be a key that it changes. */
export const READS_ANY: Read = { keys: 'any', reads: (args) => args };

/**
 * A command that may change its key. If the word at one of `places` is named like a lock, the key is reported as a lock
 * of this form. Place 1 is the key itself, 2 the field of a hash.
 */
export function strangeOr(form: StrangeForm, places: readonly (1 | 2)[] = [1]): Effect {
  return {
    keys: 'first',
    does({ at, words }) {
      const key = words[1] ?? '';
      const change = { at, do: 'may-change', key } as const;
      const isLike = places.some((place) => isNameOfForm(words[place] ?? ''));
      return isLike ? [change, { at, do: 'strange-lock', key, form }] : [change];
    },
  };
}

export function rowsFor(names: readonly string[], row: CommandRow): CommandTable {
  return Object.fromEntries(names.map((name) => [name, row]));
}

/**
 * Commands that do not explain why a key is gone: most of them only add to it, and a key that MIGRATE moves is on
 * another server.
 */
const REMOVES_NONE: ReadonlySet<string> = new Set([
  ...['MIGRATE', 'HSET', 'HMSET', 'HINCRBYFLOAT', 'DECR', 'DECRBY', 'INCRBYFLOAT', 'LPUSHX', 'RPUSHX', 'GEOADD'],
]);

export function actionsOfRow(row: CommandRow, line: LineSignal): readonly Action[] {
  if ('does' in row) return row.does(line);
  if ('ignored' in row) return NOTHING;
  const command = line.words[0]?.toUpperCase() ?? '';
  const cause = REMOVES_NONE.has(command) ? undefined : { command };
  return row.reads(line.words.slice(1)).map((key) => ({ at: line.at, do: 'may-change', key, ...cause }));
}

export function hasWord(args: readonly string[], word: string): boolean {
  return args.some((arg) => arg.toUpperCase() === word);
}
