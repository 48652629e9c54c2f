import type { RedisTime } from '../../base/time.ts';
import type { CommandStep } from '../../signals/step.ts';
import type { Action } from '../action.ts';
import { isCounterKind } from '../names/counter-names.ts';
import type { LockKey, LockKeys } from './lock-keys.ts';

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
  ...(['group-release', 'group-force'] as const),
  ...(['set-latch', 'count-down', 'delete-latch'] as const),
]);

/** An action that any script may do to any number: it counts only where the key is known to be a semaphore. */
type Claim = Extract<Action, { do: `${string}-permits`; isProven: boolean }>;

/** Whether an action is one of these. */
export function isClaim(action: Action): action is Claim {
  return action.do.endsWith('-permits') && 'isProven' in action && !action.isProven;
}

/**
 * What a script did; undefined where it claims to have used a semaphore that is not known to be one. Nothing, where it
 * wanted the number of a name that is a lock and held: such a command failed, and its line shows it all the same.
 */
export function withoutClaims(
  keys: LockKeys,
  actions: readonly Action[] | undefined,
  { head, inner }: CommandStep,
): readonly Action[] | undefined {
  const [only] = actions ?? [];
  if (!actions || !only) return actions;
  const db = inner[0]?.db ?? head.db;
  if (ON_NUMBER.has(only.do) && 'lock' in only && isHeldAs(keys.find(db, only.lock), only.at)) return [];
  if (actions.length !== 1 || !isClaim(only)) return actions; // a claim stands alone
  const known = keys.find(db, only.lock);
  return known && isCounterKind(known.kind) ? actions : undefined;
}

/** What only a number allows. */
const ON_NUMBER: ReadonlySet<Action['do']> = new Set<Action['do']>([
  ...(['take-permits', 'refuse-permits', 'drain-permits', 'give-permits', 'refuse-permit-release'] as const),
  ...(['renew-permits', 'set-total', 'count-down'] as const),
]);

/** Whether a key is a lock that somebody holds, and no number. */
function isHeldAs(key: LockKey | undefined, at: RedisTime): boolean {
  if (!key || isCounterKind(key.kind) || key.holders.size === 0) return false;
  return key.expiresAt == null || key.expiresAt > at;
}
