import type { RedisTime } from '../../base/time.ts';
import type { LineSignal } from '../../signals/signal.ts';
import { type CommandStep, scriptCallFromHead } from '../../signals/step.ts';
import type { Action } from '../action.ts';
import { isCounterKind } from '../kinds/kinds.ts';
import type { LockKey } from './lock-key.ts';
import type { LockKeys } from './lock-keys.ts';

/** Releases and new counts: if the same script then publishes a message, such an action is its cause. */
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

/** An action that any script may do to any number, so it is used only if the key is known to be a semaphore. */
type Claim = Extract<Action, { do: `${string}-permits` | 'refuse-lease'; isProven: boolean }>;

/** Whether an action is used only if the key is known to be a semaphore. */
export function isClaim(action: Action): action is Claim {
  return (action.do.endsWith('-permits') || action.do === 'refuse-lease') && 'isProven' in action && !action.isProven;
}

/**
 * Returns a script's actions, except in these cases:
 *
 * - `undefined`: its only action is a claim on a key not known to be a semaphore.
 * - None: the script expects a number, but the key is a held lock. That command failed in Redis, although MONITOR shows
 *   it.
 * - A late release: the script compares the key with a number that was once the lock's token.
 */
export function withoutClaims(
  keys: LockKeys,
  actions: readonly Action[] | undefined,
  { head, inner }: CommandStep,
): readonly Action[] | undefined {
  const [only] = actions ?? [];
  if (!actions || !only) return actions;
  const db = inner[0]?.db ?? head.db;
  if (ON_NUMBER.has(only.do) && 'lock' in only && only.lock !== undefined) {
    const key = keys.find(db, only.lock);
    const comparison = comparisonIn(only, head, key);
    if (comparison) return [comparison];
    if (isHeldLock(key, only.at)) return [];
  }
  if (actions.length !== 1 || !isClaim(only)) return actions; // a claim is always the only action
  const known = keys.find(db, only.lock);
  return known && isCounterKind(known.kind) ? actions : undefined;
}

/**
 * `get K` with a number as the only argument: if the lock once had this number as its token, this is a late release.
 * Otherwise undefined.
 */
function comparisonIn(only: Action, head: LineSignal, key: LockKey | undefined): Action | undefined {
  if (only.do !== 'refuse-permits' || !key?.mirrors?.tokens) return undefined;
  const [token = '', ...others] = scriptCallFromHead(head)?.args ?? [];
  if (others.length > 0 || !key.mirrors.tokens.granted.has(token)) return undefined;
  const common = { lock: only.lock, token, library: undefined, evidence: 'shape', isNumber: true } as const;
  return { do: 'token-miss', at: only.at, ...common, as: 'release' };
}

/** Actions that need a number at the key. */
const ON_NUMBER: ReadonlySet<Action['do']> = new Set<Action['do']>([
  ...(['take-permits', 'refuse-permits', 'drain-permits', 'give-permits', 'refuse-permit-release'] as const),
  ...(['renew-permits', 'set-total', 'count-down'] as const),
]);

/** Whether a key is a lock that is held at this time, and therefore not a number. */
function isHeldLock(key: LockKey | undefined, at: RedisTime): boolean {
  if (!key || isCounterKind(key.kind) || key.holders.size === 0) return false;
  return key.expiresAt == null || key.expiresAt > at;
}
