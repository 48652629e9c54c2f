import type { RedisTime } from '../base/time.ts';
import type { HoldMode } from '../events/hold-event.ts';
import type { WaiterState } from '../state/lock-state.ts';

/** One stretch of wanting the lock, from the first refusal. */
export type Wait = {
  readonly holder: string;
  readonly mode: HoldMode | 'latch';
  readonly from: RedisTime;
  to: RedisTime | null;
  ended: 'message' | 'own-timer' | 'acquired' | 'gave-up' | 'presumed-gone' | 'unseen' | null;
  attempts: number;
  readonly fromSeq: number;
  toSeq: number | null;
};

/** The wait of a waiter, open, as its lock's state knows it. */
export function waitOf({ id, mode, since, attempts, firstSeq }: WaiterState, changedSeq: number): Wait {
  return {
    holder: id,
    mode,
    from: since,
    to: null,
    ended: null,
    attempts,
    fromSeq: firstSeq ?? changedSeq,
    toSeq: null,
  };
}
