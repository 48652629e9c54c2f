import type { CommandStep } from '../../signals/step.ts';
import type { Action } from '../action.ts';
import { FAMILIES } from './families.ts';
import type { Family } from './family.ts';
import { scriptRunOf } from './script-run.ts';
import { versionOfProbe } from './version-evidence.ts';

/** Who is asked about a script, by the first command it ran. */
const byFirstCommand = new Map<string, Family[]>();
for (const family of FAMILIES) {
  for (const name of family.begins) {
    const others = byFirstCommand.get(name);
    if (others) others.push(family);
    else byFirstCommand.set(name, [family]);
  }
}

const NOTHING: readonly Action[] = [];
/** The step asked about last: it is interpreted, recorded and redacted, and understood once. */
let lastStep: CommandStep | undefined;
let lastActions: readonly Action[] | undefined;

/** What a lock's script did; undefined when it is no script of any family. Empty: one that did nothing. */
export function recogniseScript(step: CommandStep): readonly Action[] | undefined {
  if (step === lastStep) return lastActions;
  lastStep = step;
  lastActions = actionsOf(step);
  return lastActions;
}

function actionsOf(step: CommandStep): readonly Action[] | undefined {
  const run = scriptRunOf(step);
  if (!run) return undefined;
  const [first] = run.names;
  if (first === undefined) return NOTHING; // its latch alone: a repeat of an unlock that already took effect
  const evidence = versionOfProbe(run);
  if (evidence) return [evidence];
  for (const family of byFirstCommand.get(first) ?? []) {
    const actions = family.recognise(run);
    if (actions) return actions;
  }
  return undefined;
}
