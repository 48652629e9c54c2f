import type { Action } from '../action.ts';
import type { Context, Origin } from '../context.ts';
import type { Appliers } from './appliers.ts';
import { LATCHES } from './counters/latch.ts';
import { PERMITS } from './counters/permits.ts';
import { FIELD_ENDS } from './field-ends.ts';
import { HOLDING } from './holding.ts';
import { KEYS } from './keys.ts';
import { FAIR } from './kinds/fair-queue.ts';
import { FENCING_TOKEN } from './kinds/fencing-token.ts';
import { GROUP_LOCKS } from './kinds/group-lock.ts';
import { QUEUE_EDITS } from './kinds/queue-edit.ts';
import { READ_WRITE } from './kinds/read-write.ts';
import { REPLICAS } from './kinds/replicas.ts';
import { LEASES } from './leases.ts';
import { PERMIT_SETS } from './tokens/permit-sets.ts';
import { TOKENS } from './tokens/token-lock.ts';
import { UNLOCKS } from './unlocks.ts';
import { giveUp, WAITING } from './waiting.ts';

/** The function that applies each action. Every action is in exactly one of these tables. */
const APPLIERS: Appliers<Action['do']> = {
  ...HOLDING,
  ...LEASES,
  ...KEYS,
  ...WAITING,
  ...FAIR,
  ...QUEUE_EDITS,
  ...FENCING_TOKEN,
  ...FIELD_ENDS,
  ...READ_WRITE,
  ...GROUP_LOCKS,
  ...TOKENS,
  ...PERMITS,
  ...PERMIT_SETS,
  ...LATCHES,
  ...UNLOCKS,
  ...REPLICAS,
};

/**
 * Actions that a thread performs itself, one after another, and whether each is an attempt. Renewals are left out: the
 * watchdog sends them in the background.
 */
const BY_THREADS: ReadonlyMap<Action['do'], boolean> = new Map(
  (
    [
      ...(['acquire', 'refuse', 'release', 'release-partly', 'refuse-unlock'] as const),
      ...(['fair-acquire', 'fair-refuse', 'read-acquire', 'read-release', 'write-release'] as const),
      ...(['group-acquire', 'group-refuse', 'group-release', 'group-refuse-unlock'] as const),
    ] satisfies Action['do'][]
  ).map((each) => [each, /(?:acquire|refuse)$/.test(each)]),
);

/** Applies an action. If the action shows that its thread no longer sleeps, the thread's wait is ended first. */
export function applyAction(to: Context, action: Action, from: Origin): void {
  const isAttempt = BY_THREADS.get(action.do);
  if (isAttempt !== undefined && 'holder' in action && 'lock' in action) {
    const { lock, holder = '', at } = action;
    const left = to.waits.actsOn(from.db, lock, holder, at, isAttempt);
    if (left) giveUp(to, left, at);
  }
  // `APPLIERS` has for each type of action a function that takes it
  const apply = APPLIERS[action.do] as (to: Context, action: Action, from: Origin) => void;
  apply(to, action, from);
}
