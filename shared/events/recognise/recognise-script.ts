import type { CommandStep } from '../../signals/step.ts';
import type { Action } from '../action.ts';
import { FAMILIES } from './families.ts';
import type { Family } from './family.ts';
import { guardedRelease } from './guarded-release.ts';
import { type ScriptRun, scriptRunOf } from './script-run.ts';
import { repeatedUnlock, withLatch } from './unlock-latch.ts';
import { versionOfProbe } from './version-evidence.ts';

/** The families to try, by the first command of a script. */
const byFirstCommand = new Map<string, Family[]>();
for (const family of FAMILIES) {
  for (const name of family.begins) {
    const others = byFirstCommand.get(name);
    if (others) others.push(family);
    else byFirstCommand.set(name, [family]);
  }
}

/** Cache of the last step: it is interpreted, recorded and redacted, but recognised only once. */
let lastStep: CommandStep | undefined;
let lastActions: readonly Action[] | undefined;

/**
 * What a lock's script did; undefined for a plain command, or if the script belongs to no family. Empty: it did
 * nothing.
 */
export function recogniseScript(step: CommandStep): readonly Action[] | undefined {
  if (step === lastStep) return lastActions;
  lastStep = step;
  lastActions = actionsOf(step);
  return lastActions;
}

function actionsOf(step: CommandStep): readonly Action[] | undefined {
  const run = scriptRunOf(step);
  if (!run) return undefined;
  const [command = ''] = run.head.words;
  if (command.at(-3) === '_') return []; // EVAL_RO, EVALSHA_RO, FCALL_RO: the script can only read
  const [first] = run.names;
  if (first === undefined) return repeatedUnlock(run);
  const evidence = versionOfProbe(run);
  if (evidence) return [evidence];
  const actions = guardedRelease(run, recognised) ?? recognised(run);
  const isFunction = command.length === 'FCALL'.length;
  return actions && withLatch(run, step, isFunction ? actions.map(asHomeMade) : actions);
}

/**
 * Redisson calls its scripts only by EVAL and EVALSHA: a function that uses a key in the same way is an application's
 * own.
 */
function asHomeMade(action: Action): Action {
  return action.do === 'acquire' || action.do === 'refuse' ? { ...action, isHomeMade: true } : action;
}

/** The result of the first family that recognises the script. */
function recognised(run: ScriptRun): readonly Action[] | undefined {
  for (const family of byFirstCommand.get(run.names[0] ?? '') ?? []) {
    const actions = family.recognise(run);
    if (actions) return actions;
  }
  return undefined;
}
