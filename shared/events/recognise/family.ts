import type { Action } from '../action.ts';
import type { LockKind } from '../types/lock-kind.ts';
import type { ScriptRun } from './script-run.ts';

/**
 * A family of locks: how its scripts and commands are recognised. `kinds/kinds.ts` has the traits of its kind.
 *
 * Each family is one file, and one line in `families.ts`.
 */
export type Family = {
  readonly kind: LockKind;
  /**
   * The commands with which its scripts begin, in lower case, apart from SELECT and commands on the unlock latch.
   * `recognise` gets no script that begins otherwise.
   */
  readonly begins: readonly string[];
  /** What a script did, by its inner commands, never by its text; undefined if it belongs to another family. */
  recognise(run: ScriptRun): Action[] | undefined;
};
