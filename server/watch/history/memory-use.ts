import type { RedisTime } from '../../../shared/base/time.ts';

export type MemoryUse = {
  readonly eventsBytes: number;
  readonly locksBytes: number;
  readonly locks: number;
  readonly locksHeld: number;
  /** True once a lock was evicted. */
  readonly locksCapped: boolean;
  readonly oldestAt: RedisTime | null;
};
