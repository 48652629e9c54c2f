import type { RedisTime } from '../base/time.ts';
import type { HoldMode } from '../events/hold-event.ts';

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
