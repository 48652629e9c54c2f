import type { RedisTime } from '../base/time.ts';
import type { ClientDetail } from './types/client-event.ts';
import type { CounterDetail } from './types/counter-event.ts';
import type { HoldDetail } from './types/hold-event.ts';
import type { InsightDetail, NoteDetail } from './types/insight-event.ts';
import type { LockEvidence } from './types/lock-evidence.ts';
import type { LockKind } from './types/lock-kind.ts';
import type { ReplicaDetail } from './types/replica-event.ts';
import type { ServerDetail } from './types/server-event.ts';
import type { UnlockDetail } from './types/unlock-event.ts';
import type { WaitDetail } from './types/wait-event.ts';
import type { WatchDetail } from './types/watch-event.ts';

/**
 * What signals mean: something that happened to one lock, one client or a whole source.
 *
 * Every event has a `certainty`: `observed` (Redis reported it) or `inferred` (we concluded it). Times are Redis server
 * time in microseconds, durations milliseconds. The list of types and the rules of the stream are a promise to users'
 * scripts: a new type may be added, but no type is renamed.
 */
export type LockEvent = {
  /** The order of events: rises by one over all sources of the process. In a worker, it counts within one source. */
  readonly seq: number;
  readonly at: RedisTime;
  readonly source: string;
  readonly db: number;
  /**
   * The lock's name. Empty for events about a whole source or a client: `blind-spot.*`, `failover`, `client.*`,
   * `server.*`, `unlock.latch-left`, and `insight.*` about a source.
   */
  readonly lock: string;
  readonly kind: LockKind;
  readonly certainty: Certainty;
  /** Address of the client that sent the command. */
  readonly by?: string;
  /** `seq`s of the events that caused this one. */
  readonly because?: readonly number[];
  /**
   * The library that uses the lock. Absent:
   * - in the lock's first event: unknown for a `token-lock` or with `kindKnown`, otherwise Redisson;
   * - in a `lock.learned` that shows the kind `lock`: Redisson;
   * - in any other event: as in the lock's previous event.
   *
   * In `client.*`: the client's library.
   */
  readonly library?: string;
  /**
   * `letter`: that of the event's holder at this lock (`A`, `B` …). `letters`: those of other holders that the event
   * names. A history adds both.
   */
  readonly letter?: string;
  readonly letters?: Readonly<Record<string, string>>;
  /** The key only looks like a lock so far. */
  readonly kindKnown?: false;
  /**
   * With `kindKnown`: why the key is probably a lock of the application's own, if no known library uses the key.
   */
  readonly evidence?: readonly LockEvidence[];
  /** The id of one operation on a multi lock or RedLock: the same on all events of its members. Always inferred. */
  readonly group?: string;
  /**
   * Earlier events that belong to this group as well: they carry `group` from now on. If this event has no `group`,
   * those events belong to no group after all.
   */
  readonly groupSeqs?: readonly number[];
  /**
   * The role of this event in the group. `fix-up`: sets the requested lease, now that all members are acquired.
   * `roll-back`: released because another member was unavailable. `never-held`: the unlock of a member that the caller
   * never held, since a RedLock unlocks all members.
   */
  readonly groupStep?: 'fix-up' | 'roll-back' | 'never-held';
  /** On the last event of the group: how it ended. */
  readonly groupEnd?: 'released' | 'rolled-back' | 'lost';
  /** The number of the round, 2 after the first roll-back; absent: this is the first round. */
  readonly groupRound?: number;
  /** With `groupRound`: when the first round began. */
  readonly groupSince?: RedisTime;
} & EventDetail;

/** Redis showed what an event reports, or Lockscope concluded it. */
export const CERTAINTIES = ['observed', 'inferred'] as const;
export type Certainty = (typeof CERTAINTIES)[number];

/** What happened, by its type. Each file in `types/` has the types of one subject. */
export type EventDetail =
  | HoldDetail
  | UnlockDetail
  | ReplicaDetail
  | WaitDetail
  | CounterDetail
  | WatchDetail
  | ClientDetail
  | ServerDetail
  | InsightDetail
  | NoteDetail;

export type EventType = EventDetail['type'];

export type DetailOf<Type extends EventType> = OfType<EventDetail, Type>;
export type EventOf<Type extends EventType> = OfType<LockEvent, Type>;
type OfType<Detail, Type> = Detail extends { readonly type: infer Own } ? (Type extends Own ? Detail : never) : never;

/** The same type with writable fields, for a value that is being built. */
export type Draft<T> = { -readonly [Field in keyof T]: T[Field] };

/** The fields of an event that belongs to a group. */
export type GroupFields = Pick<
  LockEvent,
  'group' | 'groupSeqs' | 'groupStep' | 'groupEnd' | 'groupRound' | 'groupSince'
>;

/**
 * The event with more fields. In Node 20, `{ ...event, letter }` is slow, and gives each event a hidden class of its
 * own.
 */
export function eventWith(
  event: LockEvent,
  ...more: readonly (GroupFields | Pick<LockEvent, 'letter' | 'letters'> | undefined)[]
): LockEvent {
  return Object.assign({}, event, ...more);
}

/** Every event type, for filters and schemas. */
export const EVENT_TYPES = [
  'lock.acquired',
  'lock.reentered',
  'lock.refused',
  'lock.partially-released',
  'lock.released',
  'unlock.refused',
  'unlock.unanswered',
  'unlock.latch-left',
  'replicas.awaited',
  'lock.force-released',
  'lock.deleted',
  'lock.evicted',
  'db.flushed',
  'lease.renewed',
  'lease.shortened',
  'renewal.refused',
  'renewal.without-holder',
  'renewal.not-run',
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
  'server.reported',
  'server.refused',
  'server.denied',
  'server.stood-still',
  'insight.opened',
  'insight.closed',
  'insight.noted',
] as const satisfies readonly EventType[];

/**
 * Whether an event is about a whole source or a client. An empty name is not enough: a lock's name may be empty too.
 */
export function isOfSource({ type, lock }: LockEvent): boolean {
  return lock === '' && EVENTS_OF_SOURCE.has(type);
}

/**
 * Whether an event happened to a lock: it is not about a whole source or a client, and is neither a conclusion from
 * other events nor a note about one.
 */
export function isOfLock(event: LockEvent): boolean {
  return !isOfSource(event) && !event.type.startsWith('insight.');
}

/** Whether an event is a conclusion from others: a verdict began or ended. */
export function isInsight(event: LockEvent): event is LockEvent & InsightDetail {
  return event.type === 'insight.opened' || event.type === 'insight.closed';
}

/** Whether an event reports the presence of a client. */
export function isOfClient(event: LockEvent): event is LockEvent & ClientDetail {
  return event.type.startsWith('client.');
}

const EVENTS_OF_SOURCE: ReadonlySet<EventType> = new Set<EventType>([
  'failover',
  'blind-spot.began',
  'blind-spot.ended',
  'client.connected',
  'client.idle',
  'client.gone',
  'client.unknown',
  'unlock.latch-left',
  'server.reported',
  'server.refused',
  'server.denied',
  'server.stood-still',
  'insight.opened',
  'insight.closed',
  'insight.noted',
]);

/** Whether an event is about a holder: its `holder`, or one of its `holders`, for example of a deletion or a read. */
export function isOfHolder(event: LockEvent, holder: string): boolean {
  if ('holder' in event && event.holder === holder) return true;
  const { holders = [] } = 'holders' in event ? event : {};
  return holders.some((each) => (typeof each === 'string' ? each : each.holder) === holder);
}
