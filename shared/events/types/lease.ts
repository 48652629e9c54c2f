import type { Millis, RedisTime } from '../../base/time.ts';

/**
 * The wait time in the reply to a refused caller: the rest of the lease when its TTL was read, or a number of
 * milliseconds. Null: the reply was something else, or is not known.
 */
export type RefusalReply =
  | { readonly by: 'pttl'; readonly at: RedisTime }
  | { readonly by: 'deadline'; readonly ms: Millis }
  | null;

/**
 * A lease as a command set it: when it was set and for how long. `earlierBy`: the lease may have begun up to this much
 * earlier, because its script took long. Absent: the script was short.
 */
export type Lease = { readonly setAt: RedisTime; readonly ms: Millis; readonly earlierBy?: Millis };
