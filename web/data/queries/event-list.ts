import { firstFrom } from '../../../shared/base/search.ts';
import type { RedisTime } from '../../../shared/base/time.ts';
import { type EventType, isOfSource, type LockEvent } from '../../../shared/events/event.ts';
import { TOPIC_OF, type Topic } from '../../../shared/events/topics.ts';
import { holderMatcher, partMatcher, whoseEvent } from '../../../shared/wire/locks/name-parts.ts';

/** Which events a list shows. Empty and null mean all. `db` is not sent to the server; the page filters by it. */
export type EventFilter = {
  readonly lock: string;
  /** A part of the lock's name. */
  readonly lockPart: string;
  readonly type: EventType | null;
  readonly topic: Topic | null;
  readonly holder: string;
  /** A part of the holder's id, name or thread. */
  readonly holderPart: string;
  readonly source: string | null;
  readonly db: number | null;
  /** The id of a multi lock or RedLock; empty: all. */
  readonly group: string;
  /** The first and the last instant of the events. */
  readonly from: RedisTime | null;
  readonly to: RedisTime | null;
};

export const ALL_EVENTS: EventFilter = {
  lock: '',
  lockPart: '',
  type: null,
  topic: null,
  holder: '',
  holderPart: '',
  source: null,
  db: null,
  group: '',
  from: null,
  to: null,
};

/** Maximum number of events in a list. */
export const LIST_CAP = 10_000;

/** True if the filter matches every event. */
export function isOpenFilter(filter: EventFilter): boolean {
  const { lock, lockPart, type, topic, holder, holderPart, source, db, group, from, to } = filter;
  return (
    [lock, lockPart, holder, holderPart, group].every((text) => text === '') &&
    (type ?? topic ?? source ?? db ?? from ?? to) === null
  );
}

/** Returns a predicate for a filter, with the same rules as the server; `nameOf` returns the name of a client. */
export function eventMatcher(
  filter: EventFilter,
  nameOf: (client: string) => string | undefined = () => undefined,
): (event: LockEvent) => boolean {
  const isLock = filter.lockPart === '' ? null : partMatcher(filter.lockPart);
  const isHolder = filter.holderPart === '' ? null : holderMatcher(filter.holderPart, nameOf);
  return (event) =>
    isMatching(event, filter) &&
    (isLock === null || (!isOfSource(event) && isLock(event.lock))) &&
    (isHolder === null || isHolder(whoseEvent(event) ?? ''));
}

function isMatching(event: LockEvent, filter: EventFilter): boolean {
  return (
    (filter.lock === '' || (event.lock === filter.lock && !isOfSource(event))) &&
    (filter.type === null || event.type === filter.type) &&
    (filter.topic === null || TOPIC_OF[event.type] === filter.topic) &&
    (filter.source === null || event.source === filter.source) &&
    (filter.db === null || event.db === filter.db) &&
    (filter.group === '' || event.group === filter.group) &&
    (filter.from === null || event.at >= filter.from) &&
    (filter.to === null || event.at <= filter.to) &&
    (filter.holder === '' || ('holder' in event && event.holder === filter.holder))
  );
}

/**
 * Returns the events with attempts inserted by `seq`. Attempts before the first or after the last event are left out.
 */
export function withAttempts(events: readonly LockEvent[], attempts: readonly LockEvent[]): readonly LockEvent[] {
  if (attempts.length === 0) return events;
  const known = new Set(events.map(({ seq }) => seq));
  const first = events[0]?.seq ?? 0;
  const last = events.at(-1)?.seq ?? 0;
  const more = attempts.filter(({ seq }) => seq > first && seq < last && !known.has(seq));
  return [...events, ...more].sort((a, b) => a.seq - b.seq);
}

/** Returns how many events of a list sorted by `seq` have a higher `seq`. */
export function countAfter(events: readonly LockEvent[], seq: number): number {
  return events.length - firstFrom(events, seq + 1, (event) => event.seq);
}
