import type { Millis, RedisTime } from '../../base/time.ts';

/**
 * The time a refused caller was told to wait: what was left of the lease when its TTL was read, or so many milliseconds.
 * Null: it was told something else.
 */
export type RefusalReply =
  | { readonly by: 'pttl'; readonly at: RedisTime }
  | { readonly by: 'deadline'; readonly ms: Millis }
  | null;

/** A lease as a command set it: when it was set and for how long. */
export type Lease = { readonly setAt: RedisTime; readonly ms: Millis };
