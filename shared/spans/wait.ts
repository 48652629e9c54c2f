import type { RedisTime } from '../base/time.ts';
import type { HoldMode } from '../events/types/hold-event.ts';
import type { WaiterState } from '../state/lock-state.ts';

/**
 * One wait. For a lock it begins with the first refusal. For a permit or latch it begins with the last refusal before
 * the client subscribed, or else with the subscription.
 */
export type Wait = {
  readonly holder: string;
  readonly mode: HoldMode | 'latch';
  readonly from: RedisTime;
  /** Whether the wait began, or may have begun, unseen before `from`. */
  isOpenStart: boolean;
  to: RedisTime | null;
  ended: 'message' | 'own-timer' | 'acquired' | 'gave-up' | 'presumed-gone' | 'unseen' | null;
  attempts: number;
  readonly fromSeq: number;
  toSeq: number | null;
};

/** Returns the open wait of a waiter, from the state of its lock. */
export function waitOf({ id, mode, since, attempts, isOlder, firstSeq }: WaiterState, changedSeq: number): Wait {
  return {
    holder: id,
    mode,
    from: since,
    isOpenStart: isOlder === true,
    to: null,
    ended: null,
    attempts,
    fromSeq: firstSeq ?? changedSeq,
    toSeq: null,
  };
}
