import type { Action } from '../action.ts';
import { rangeOf } from '../libraries/script-versions.ts';
import type { ScriptRun } from './script-run.ts';

/*
 * Commands, besides those on locks, that only some releases of Redisson send.
 */

/**
 * These versions delete the unlock latch under a wrong name, with the client's uuid. So the latch stays until it
 * expires.
 */
const WRONG_LATCH = rangeOf('3.52.0', '4.2.0');
const WITH_PROBE = rangeOf('4.3.1', '4.7.0');

/** What the DEL of an unlock latch shows about the version of its client. */
export function versionOfAnswer(answer: Action): readonly Action[] {
  if (answer.do !== 'answer-unlock' || answer.client === undefined) return [];
  return [{ do: 'date-client', at: answer.at, client: answer.client, versions: WRONG_LATCH }];
}

/** The script that a client runs once at startup: `get test1`, `get test2`. */
export function versionOfProbe({ keys, args, shape, head }: ScriptRun): Action | undefined {
  const isProbe = shape === 'get get' && args.length === 0 && keys.length === 2;
  return isProbe && keys[0] === 'test1' && keys[1] === 'test2'
    ? { do: 'date-client', at: head.at, versions: WITH_PROBE }
    : undefined;
}
