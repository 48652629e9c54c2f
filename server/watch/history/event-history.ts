import type { RedisTime } from '../../../shared/base/time.ts';
import type { LockEvent } from '../../../shared/events/event.ts';
import type { EventQuery } from '../terms/queries.ts';

/** The bounded memory of events. */
export type EventHistory = {
  oldestSeq(): number;
  /** Redis time of the oldest instant in memory; undefined: there is no event, and no beginning of watching. */
  readonly oldestAt: RedisTime | undefined;
  nextSeq(): number;
  count(): number;
  /** True once events have been evicted. */
  isCapped(): boolean;
  /** Events with a higher `seq`, oldest first; `undefined`: some are no longer in memory, or `seq` was not used yet. */
  after(seq: number, limit: number): LockEvent[] | undefined;
  /** Up to `limit` matching events, oldest first. Without `after`, the newest. `isCut`: there may be more. */
  search(query: EventQuery, signal?: AbortSignal): Promise<{ events: LockEvent[]; isCut: boolean }>;
  /** The redacted Redis lines behind an event; undefined if they are not in memory. */
  signals(seq: number): Promise<readonly string[] | undefined>;
};
