import type { RedisTime } from '../../../shared/base/time.ts';
import type { EventType } from '../../../shared/events/event.ts';
import type { Lock } from '../../../shared/wire/lock.ts';
import type { WindowBody } from '../../../shared/wire/window.ts';

/** In which source and database a lock is; what is left out fits any. */
export type LockPlace = { readonly source?: string | undefined; readonly db?: number | undefined };

/** `isWanted` is asked for each lock; a page begins after the first `from` of those. */
export type LockPageQuery = {
  /** The locks as of a past instant; absent: as of now. */
  at?: RedisTime | undefined;
  from: number;
  limit: number;
  isWanted(lock: Pick<Lock, 'source' | 'db' | 'name' | 'kind' | 'held'>): boolean;
};

export type LockPage = { readonly locks: Lock[]; readonly total: number };

/** Of what holds and waits are wanted, and from when to when. */
export type SpanQuery = {
  from?: number | undefined;
  to?: number | undefined;
  lock?: string | undefined;
  source?: string | undefined;
  db?: number | undefined;
  /** Only spans of at least this length, or still going. */
  minMs?: number | undefined;
};

/** Which events are looked for. */
export type EventQuery = {
  after?: number | undefined;
  /** Without `after`: the newest of those with a lower `seq`. */
  before?: number | undefined;
  /** Redis time of the first and the last instant wanted. */
  from?: number | undefined;
  to?: number | undefined;
  lock?: string | undefined;
  type?: EventType | undefined;
  holder?: string | undefined;
  /** Whether a lock of that name is wanted. */
  isLock?: ((name: string) => boolean) | undefined;
  /** Whether a holder, or a client, is wanted. */
  isHolder?: ((id: string) => boolean) | undefined;
  /** Of one multi lock or RedLock. */
  group?: string | undefined;
  source?: string | undefined;
  db?: number | undefined;
  /** Of the attempts of a dense run only the first and the last, and `limit` counts those. */
  dense?: boolean | undefined;
  limit: number;
};

/** Which locks are asked for; what is left out fits any. */
export type LockFilter = Pick<EventQuery, 'lock' | 'source' | 'db'>;

/** A stretch of time; without `to` it ends now. */
export type WindowQuery = LockFilter & {
  readonly from: RedisTime;
  readonly to?: RedisTime | undefined;
  readonly limit: number;
};

export type Window = Omit<WindowBody, 'v'>;
