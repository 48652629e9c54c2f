import type { Action, ActionOf } from '../action.ts';
import type { Context, Origin } from '../context.ts';

/** For each action the function that compares it with what Redis held, changes the mirror and emits its events. */
export type Appliers<Name extends Action['do']> = {
  readonly [Each in Name]: (to: Context, action: ActionOf<Each>, from: Origin) => void;
};
