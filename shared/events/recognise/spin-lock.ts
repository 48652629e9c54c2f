import type { Action } from '../action.ts';
import { scriptVersionFromHead } from '../libraries/script-versions.ts';
import { isHolder, isLatchKey } from '../names/names.ts';
import type { Family } from './family.ts';
import { changeOfHold } from './hold-in-hash.ts';
import type { ScriptRun } from './script-run.ts';

const KIND = 'spin-lock';
const FORCED = 'spin force-unlock';

/**
 * How a spin lock differs from a plain lock: it has no channel, so an unlock wakes no waiter, and waiters poll. Its
 * attempts and renewals look like those of a plain lock, so at the latest its first unlock shows which kind it is.
 *
 *   hexists L h → hincrby L h -1 → del L        without a channel    released
 *   hexists L h → hincrby L h -1 → pexpire L    without a channel    partially released
 *   hexists L h                                 with a latch         unlock refused (3.24.0 on)
 *   hexists L h                                                      the same before 3.24.0: only the script's SHA
 *                                                                    differs from a renewal that found no hold
 *   del L                                                            force-unlock: only the script's SHA differs
 *                                                                    from any other script that deletes a key
 */
export const SPIN_LOCK: Family = {
  kind: KIND,
  begins: ['hexists', 'del'],
  recognise(run) {
    const { keys, lines, shape } = run;
    const [lock = '', ...others] = keys;
    const [first] = lines;
    if (!first || first.words[1] !== lock || !others.every(isLatchKey)) return undefined;
    switch (shape) {
      case 'hexists hincrby del':
      case 'hexists hincrby pexpire':
        return changeOfHold(run, KIND);
      case 'hexists':
        return isUnlock(run) ? refused(run, lock, first.words[2] ?? '') : undefined;
      case 'del':
        return !isForced(run) ? undefined : [{ do: 'force-release', at: first.at, lock, kind: KIND }];
      default:
        return undefined;
    }
  },
};

function isForced({ head, args }: ScriptRun): boolean {
  return args.length === 0 && scriptVersionFromHead(head)?.operation === FORCED;
}

function isUnlock({ head, keys }: ScriptRun): boolean {
  return keys.length > 1 || scriptVersionFromHead(head)?.operation === 'spin unlock';
}

function refused(run: ScriptRun, lock: string, holder: string): Action[] | undefined {
  const at = run.lines[0]?.at ?? run.head.at;
  return isHolder(holder)
    ? [{ do: 'refuse-unlock', at, lock, kind: KIND, holder, callerSawSuccess: false }]
    : undefined;
}
