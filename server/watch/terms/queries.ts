import type { RedisTime } from '../../../shared/base/time.ts';
import type { ClientDumps } from '../../../shared/dumps/client-dump.ts';
import type { EventType } from '../../../shared/events/event.ts';
import type { Topic } from '../../../shared/events/topics.ts';
import type { LockFilter } from '../../../shared/state/replay/lock-filter.ts';
import type { Lock } from '../../../shared/wire/locks/lock.ts';
import type { WindowBody } from '../../../shared/wire/window.ts';

/** The source and database of a lock; a field that is left out matches all. */
export type LockPlace = { readonly source?: string | undefined; readonly db?: number | undefined };

/** `isWanted` is called for each lock; absent: all are wanted. A page skips the first `from` wanted locks. */
export type LockPageQuery = {
  /** The locks at a past instant; absent: now. */
  at?: RedisTime | undefined;
  from: number;
  limit: number;
  isWanted?: ((lock: Pick<Lock, 'source' | 'db' | 'name' | 'kind' | 'held'>) => boolean) | undefined;
};

export type LockPage = { readonly locks: Lock[]; readonly total: number };

/** Which holds and waits are requested, and between which Redis times, in µs. */
export type SpanQuery = {
  from?: number | undefined;
  to?: number | undefined;
  lock?: string | undefined;
  source?: string | undefined;
  db?: number | undefined;
  /** Only spans of at least this length, and spans that have not ended. */
  minMs?: number | undefined;
};

/** The range of time of a picture, and how many columns it has. */
export type OutlineQuery = {
  readonly from: number;
  readonly to: number;
  readonly columns: number;
  readonly lock?: string | undefined;
};

/** Which events are requested. */
export type EventQuery = {
  after?: number | undefined;
  /** Without `after`: the newest of those with a lower `seq`. */
  before?: number | undefined;
  /** Redis time of the first and the last instant wanted. */
  from?: number | undefined;
  to?: number | undefined;
  lock?: string | undefined;
  type?: EventType | undefined;
  topic?: Topic | undefined;
  holder?: string | undefined;
  /** Whether a lock of that name is wanted. */
  isLock?: ((name: string) => boolean) | undefined;
  /** Whether a holder, or a client, is wanted. */
  isHolder?: ((id: string) => boolean) | undefined;
  /** Only events of this multi lock or RedLock. */
  group?: string | undefined;
  source?: string | undefined;
  db?: number | undefined;
  /** Returns only the first and the last attempt of each dense run. `limit` counts a run as one event. */
  dense?: boolean | undefined;
  limit: number;
};

/** A range of time; without `to` it ends now. */
export type WindowQuery = LockFilter & {
  readonly from: RedisTime;
  readonly to?: RedisTime | undefined;
  readonly limit: number;
};

export type Window = Omit<WindowBody, 'v'>;

/** Which insights are requested, now or at an instant; a field that is left out matches all. */
export type InsightQuery = LockFilter & {
  readonly at?: RedisTime | undefined;
  /** True: only open insights. False: only insights that have ended. */
  readonly open?: boolean | undefined;
  /** Thread dumps, by client: what they show together with the locks is reported as well. */
  readonly dumps?: ClientDumps | undefined;
  /** Runs the detectors for this answer, even if they ran a moment ago. */
  readonly isFresh?: true;
};

/** Which graph is requested: now or at an instant, and the thread dumps whose waits it shows. */
export type GraphQuery = { readonly at?: RedisTime | undefined; readonly dumps?: ClientDumps | undefined };
