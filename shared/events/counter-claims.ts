import type { CommandStep } from '../signals/step.ts';
import type { Action } from './action.ts';
import { isCounterKind } from './counter-names.ts';
import type { LockKeys } from './lock-keys.ts';

/** What a message of the same script tells of. */
export const FREEING: ReadonlySet<Action['do']> = new Set<Action['do']>([
  ...([
    'release',
    'force-release',
    'read-release',
    'write-release',
    'token-drop',
    'give-permits',
    'set-permits',
    'set-total',
  ] as const),
  ...(['set-latch', 'count-down', 'delete-latch'] as const),
]);

/** An action that any script may do to any number: it counts only where the key is known to be a semaphore. */
type Claim = Extract<Action, { do: `${string}-permits`; isProven: boolean }>;

/** Whether an action is one of these. */
export function isClaim(action: Action): action is Claim {
  return action.do.endsWith('-permits') && 'isProven' in action && !action.isProven;
}

/** What a script did; undefined where it claims to have used a semaphore that is not known to be one. */
export function withoutClaims(
  keys: LockKeys,
  actions: readonly Action[] | undefined,
  { head, inner }: CommandStep,
): readonly Action[] | undefined {
  if (actions?.length !== 1) return actions; // a claim stands alone
  const [only] = actions;
  if (!only || !isClaim(only)) return actions;
  const known = keys.find(inner[0]?.db ?? head.db, only.lock);
  return known && isCounterKind(known.kind) ? actions : undefined;
}
