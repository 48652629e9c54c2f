import type { RedisTime } from '../base/time.ts';
import type { ClientDetail } from './types/client-event.ts';
import type { CounterDetail } from './types/counter-event.ts';
import type { HoldDetail } from './types/hold-event.ts';
import type { LockKind } from './types/lock-kind.ts';
import type { WaitDetail } from './types/wait-event.ts';
import type { WatchDetail } from './types/watch-event.ts';

/**
 * What signals mean: one thing that happened to one lock, in the past tense.
 *
 * Every event says how it is known: `observed` (Redis said so) or `inferred` (we concluded it).
 * Times are Redis server time in microseconds, durations milliseconds. The list of types and the rules
 * of the stream are a promise to users' scripts: a new type may be added, none renamed.
 */
export type LockEvent = {
  /** Order of truth: rises by one over all sources of the process. */
  readonly seq: number;
  readonly at: RedisTime;
  readonly source: string;
  readonly db: number;
  /** The lock's name; empty for events of a whole source (`blind-spot.*`, `failover`). */
  readonly lock: string;
  readonly kind: LockKind;
  readonly certainty: Certainty;
  /** Address of the client whose command this was. */
  readonly by?: string;
  /** `seq`s of the events that caused this one. */
  readonly because?: readonly number[];
  /** The library whose way of locking it is; absent: Redisson, or for a `token-lock` not known. */
  readonly library?: string;
  /** The letter of its holder at this lock, and of others it names: `A`, `B` … Absent before it is in a history. */
  readonly letter?: string;
  readonly letters?: Readonly<Record<string, string>>;
  /** It only looks like a lock so far. */
  readonly kindKnown?: false;
  /** What was done to several locks as one, a multi lock or RedLock: the same on all of its events. Always inferred. */
  readonly group?: string;
  /**
   * Events told before that belong to this group as well: they carry `group` from now on. Without a `group` of its own:
   * those events belong to none after all.
   */
  readonly groupSeqs?: readonly number[];
  /**
   * What this is to the group. `fix-up`: the lease is set to what was asked for, now that all members are had. `roll-back`:
   * let go, since another member was not to be had. `never-held`: a RedLock unlocks all members, those it never had too.
   */
  readonly groupStep?: 'fix-up' | 'roll-back' | 'never-held';
  /** The last event of the group says how it ended. */
  readonly groupEnd?: 'released' | 'rolled-back' | 'lost';
  /** How often it began anew after it had to give back what it had; absent: the first time. */
  readonly groupRound?: number;
} & EventDetail;

export type Certainty = 'observed' | 'inferred';

/** What happened, by its type; each file beside this one has those of one matter. */
export type EventDetail = HoldDetail | WaitDetail | CounterDetail | WatchDetail | ClientDetail;

export type EventType = EventDetail['type'];

/** The detail of events of a type. */
export type DetailOf<Type extends EventType> = OfType<EventDetail, Type>;
type OfType<Detail, Type> = Detail extends { readonly type: infer Own } ? (Type extends Own ? Detail : never) : never;

/** The same while it is put together. */
export type Draft<T> = { -readonly [Field in keyof T]: T[Field] };

/** Every event type, for filters and schemas. */
export const EVENT_TYPES = [
  'lock.acquired',
  'lock.reentered',
  'lock.refused',
  'lock.partially-released',
  'lock.released',
  'unlock.refused',
  'lock.force-released',
  'lock.deleted',
  'lock.evicted',
  'db.flushed',
  'lease.renewed',
  'lease.shortened',
  'renewal.refused',
  'lease.expired',
  'waiter.subscribed',
  'waiter.unsubscribed',
  'waiter.queued',
  'waiter.dequeued',
  'wakeup.published',
  'permits.set',
  'permits.acquired',
  'permits.refused',
  'permits.released',
  'permits.expired',
  'permits.renewed',
  'latch.set',
  'latch.counted-down',
  'latch.opened',
  'latch.deleted',
  'failover',
  'lock.lost',
  'lock.moved',
  'blind-spot.began',
  'blind-spot.ended',
  'lock.found',
  'lock.learned',
  'drift.healed',
  'client.connected',
  'client.idle',
  'client.gone',
  'client.unknown',
] as const satisfies readonly EventType[];

/** Whether an event is of a whole source and of no lock: a lock may have an empty name too. */
export function isOfSource({ type, lock }: LockEvent): boolean {
  return lock === '' && OF_SOURCE.has(type);
}

/** Whether an event reports the presence of a client. */
export function isOfClient(event: LockEvent): event is LockEvent & ClientDetail {
  return event.type.startsWith('client.');
}

const OF_SOURCE: ReadonlySet<EventType> = new Set<EventType>([
  'failover',
  'blind-spot.began',
  'blind-spot.ended',
  'client.connected',
  'client.idle',
  'client.gone',
  'client.unknown',
]);
