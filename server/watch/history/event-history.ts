import type { RedisTime } from '../../../shared/base/time.ts';
import type { LockEvent } from '../../../shared/events/event.ts';
import type { EventQuery } from '../terms/queries.ts';

/** The bounded memory of events. */
export type EventHistory = {
  oldestSeq(): number;
  /** Redis time of the oldest instant in memory; undefined while there is no event. */
  readonly oldestAt: RedisTime | undefined;
  nextSeq(): number;
  count(): number;
  /** True once events have been evicted. */
  isCapped(): boolean;
  /** Events with a higher seq, oldest first; `undefined` when some of them are no longer in memory. */
  after(seq: number, limit: number): LockEvent[] | undefined;
  /** Matching events, oldest first. Without `after`, the newest `limit` of them. `isCut`: there may be more. */
  search(query: EventQuery, signal?: AbortSignal): Promise<{ events: LockEvent[]; isCut: boolean }>;
  /** The redacted Redis lines behind an event; undefined if they are not in memory. */
  signals(seq: number): Promise<readonly string[] | undefined>;
};
