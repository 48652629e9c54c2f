import type { Action } from '../../action.ts';
import { isTokenLike } from '../../libraries/token-libraries.ts';
import type { ScriptRun } from '../script-run.ts';
import { leaseOf } from '../set-nx.ts';

/**
 * A script that takes the first free one of several keys, as `Redis::funnel()` of Laravel does: each key is one slot.
 *
 *   mget k1 k2 k3 → set k2 T EX      slot k2 acquired
 *   mget k1 k2 k3                    refused: all of them have a token
 *
 * T is the last argument. Undefined: the script is something else.
 */
export function slotTaken({ keys, args, lines, names }: ScriptRun): Action[] | undefined {
  const [all, set, ...more] = lines;
  const token = args.at(-1) ?? '';
  if (!all || names[0] !== 'mget' || args.length < 2 || !isTokenLike(token) || more.length > 0) return undefined;
  if (all.words.length !== keys.length + 1 || !keys.every((key, n) => all.words[n + 1] === key)) return undefined;
  const common = { token, library: undefined, evidence: 'shape' } as const;
  if (!set) return [{ do: 'token-refuse', at: all.at, lock: keys[0] ?? '', ...common, among: keys }];
  const [, lock = '', value] = set.words;
  if (names[1] !== 'set' || value !== token || !keys.includes(lock)) return undefined;
  return [{ do: 'token-take', at: set.at, lock, ...common, lease: leaseOf(set) }];
}
