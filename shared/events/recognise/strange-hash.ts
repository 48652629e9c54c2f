import type { Action } from '../action.ts';
import { isLockName } from '../libraries/token-found.ts';
import type { ScriptRun } from './script-run.ts';

/**
 * The same acquisition and release for holders with other names, for example `web-1:17`, in an application's own script. Who holds it
 * is not known: its hash may have any fields.
 */
const OWN_FORMS = /^(?:exists hexists hincrby p?expire|hexists hincrby del)$/;
/** Counters and records begin in this form, too: only under the name of a lock is it one. */
const BEGINNING = /^(?:exists|hget) (?:hincrby|hset|hmset|hsetnx) p?expire$/;

export function strangeHash({ keys, args, lines, shape }: ScriptRun): Action[] | undefined {
  const [key = ''] = keys;
  const [, , field = '', value = ''] = lines.findLast(({ words }) => /^h/i.test(words[0] ?? ''))?.words ?? [];
  const [first] = lines;
  const isGiven = [...args, ...keys.slice(1)].some((word) => word === field || word === value);
  const isOfHolder = isGiven && lines.every(({ words }) => words[1] === key);
  const isForm = OWN_FORMS.test(shape) || (BEGINNING.test(shape) && isLockName(key));
  if (!first || !isForm || !isOfHolder) return undefined;
  return [
    { at: first.at, do: 'may-change', key },
    { at: first.at, do: 'strange-lock', key, form: 'hash-field' },
  ];
}
