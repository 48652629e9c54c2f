import type { Action } from '../action.ts';
import { tokenKey } from '../names/names.ts';
import type { Family } from './family.ts';
import { changeOfHold } from './hold-in-hash.ts';
import { refusedAttempt } from './plain-lock.ts';
import type { ScriptRun } from './script-run.ts';

/**
 * A fenced lock's attempts: those of a plain lock, with a counter that rises with each acquisition and re-entry.
 * Everything else uses the plain lock's scripts.
 *
 *   exists L               → incr TOKEN → hincrby L h 1 → pexpire    acquired
 *   exists L → hexists L h → incr TOKEN → hincrby L h 1 → pexpire    re-entered, with a new token
 *   exists L → hexists L h → pttl L                                  refused: the counter stays
 */
export const FENCED_LOCK: Family = {
  kind: 'fenced-lock',
  begins: ['exists'],
  recognise(run) {
    const [lock = '', token] = run.keys;
    if (token === undefined || token !== tokenKey(lock)) return undefined;
    const risen = run.names.indexOf('incr');
    if (risen === -1) return run.shape === 'exists hexists pttl' ? refused(run) : undefined;
    const change = changeOfHold(run, 'fenced-lock');
    // If the script was cut off after the counter rose, nothing is held, but the token is used up.
    const rise: Action = { do: 'raise-token', at: run.lines[risen]?.at ?? run.head.at, lock };
    return [rise, ...(change ?? refusedAttempt(run, null, 'fenced-lock') ?? [])];
  },
};

function refused(run: ScriptRun): Action[] | undefined {
  return refusedAttempt(run, run.lines.at(-1) ?? null, 'fenced-lock');
}
