import type { Millis } from '../../base/time.ts';
import type { CommandStep } from '../../signals/step.ts';
import type { Action } from '../action.ts';
import type { UnlockOutcome } from '../actions/unlock-action.ts';
import { isHolder, isLatchKey, latchFromKey } from '../names/names.ts';
import type { ScriptRun } from './script-run.ts';

/*
 * The unlock latch (`docs/protocol.md` 5.3). Its lifetime contains the client's time-outs:
 * (response timeout + pause before a retry) × attempts.
 */

/**
 * An attempt of a client takes at most about a third of the latch's lifetime: by default there are three or four
 * attempts.
 */
const ATTEMPTS = 3;
/** With retries switched off the lifetime is 1 ms, which shows no time-out. */
const SHORTEST_LIFE: Millis = 100;
const SHORTEST_WAIT: Millis = 1000;
const UNKNOWN_WAIT: Millis = 6000;

/** The actions of a script; if it is an unlock with a latch, also what the latch shows. */
export function withLatch(run: ScriptRun, step: CommandStep, actions: readonly Action[]): readonly Action[] {
  const latch = run.keys.at(-1) ?? '';
  if (!isLatchKey(latch)) return actions;
  for (const action of actions) {
    const outcome = outcomeOf(action);
    if (!outcome || !('holder' in action) || !('lock' in action) || action.holder === undefined) continue;
    const { at, lock, holder } = action;
    const keptMs = lifeOf(step, latch);
    const answerMs = waitFor(keptMs ?? Number(run.args.at(-1)));
    const known = actions.map((each) => (each.do === 'refuse-unlock' ? { answerMs, ...each } : each));
    return [...known, { do: 'begin-unlock', at, lock, holder, latch, outcome, answerMs, keptMs }];
  }
  return actions;
}

/** What a script did that only read its latch: the unlock had taken effect before. Empty: it has no latch. */
export function repeatedUnlock({ keys, head: { at } }: ScriptRun): readonly Action[] {
  const latch = keys.at(-1) ?? '';
  return isLatchKey(latch) ? [{ do: 'repeat-unlock', at, latch }] : [];
}

/** What a plain DEL of this key shows; undefined if it is not a latch. */
export function latchDelete(key: string, at: Action['at']): Action | undefined {
  const latch = latchFromKey(key);
  if (!latch) return undefined;
  const client = isHolder(`${latch.request}:1`) ? { client: latch.request } : undefined;
  return { do: 'answer-unlock', at, latch: key, ...client };
}

function outcomeOf(action: Action): UnlockOutcome | undefined {
  switch (action.do) {
    case 'release':
      return 'released';
    case 'release-partly':
      return 'partly-released';
    case 'refuse-unlock':
      return 'refused';
    case 'read-release':
    case 'write-release':
      return action.count === 0 ? 'released' : 'partly-released';
    default:
      return undefined;
  }
}

/** The lifetime with which the script set its latch; null if it set none. */
function lifeOf({ inner }: CommandStep, latch: string): Millis | null {
  const set = inner.findLast(({ words }) => words[1] === latch && words[0]?.toLowerCase() === 'set');
  const life = Number(set?.words[4]);
  return set && Number.isFinite(life) ? life : null;
}

function waitFor(life: number): Millis {
  return life >= SHORTEST_LIFE ? Math.max(SHORTEST_WAIT, Math.round(life / ATTEMPTS)) : UNKNOWN_WAIT;
}
