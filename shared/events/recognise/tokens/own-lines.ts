import { isTokenLike } from '../../libraries/token-libraries.ts';
import type { ScriptRun } from '../script-run.ts';

const BEGINS: ReadonlySet<string | undefined> = new Set(['get', 'exists']);
const LOCK_COMMANDS: ReadonlySet<string | undefined> = new Set([
  ...['get', 'exists', 'set', 'setex', 'psetex', 'expire', 'pexpire', 'pttl', 'ttl', 'del', 'unlink'],
]);

/**
 * What an application's own script did with its first key, if it also uses other keys, for example a queue or data of
 * the holder. Undefined: the key is not used like a lock with a token, or no argument looks like a token.
 *
 *   exists L → llen Q → lrem Q 0 T → set L T PX 5000      get L → del L → hdel holders L
 */
export function ownLinesOf(run: ScriptRun): ScriptRun | undefined {
  const { keys, args, lines, names } = run;
  const [key = ''] = keys;
  const indexes = lines.flatMap(({ words }, n) => (words[1] === key ? n : []));
  const isOwnOnly = indexes.length === lines.length && keys.length === 1 && args.length < 3;
  if (indexes[0] !== 0 || isOwnOnly || !BEGINS.has(names[0]) || !indexes.every((n) => LOCK_COMMANDS.has(names[n])))
    return undefined;
  const token = args.find(isTokenLike);
  if (token === undefined) return undefined;
  const kept = indexes.flatMap((n) => lines[n] ?? []);
  const ran = indexes.flatMap((n) => names[n] ?? []);
  return {
    ...run,
    keys: [key],
    args: [token, ...args.filter((arg) => arg !== token)].slice(0, 3),
    lines: kept,
    names: ran,
    shape: ran.join(' '),
  };
}
