import type { EventType } from './event.ts';

/** The subjects of events, for filters. Each event type belongs to exactly one. */
export const TOPICS = ['taking', 'waiting', 'leases', 'trouble', 'watching'] as const;
export type Topic = (typeof TOPICS)[number];

/**
 * The topic of each event type.
 *
 * - `trouble`: a client lost a hold, was refused the unlock or renewal of one, got no answer or waited for replicas, or
 *   is gone; the server refused commands, stood still or was replaced; or a problem was found.
 * - `watching`: what Lockscope itself found, missed or corrected, which servers and clients it knows, and notes.
 */
export const TOPIC_OF: Readonly<Record<EventType, Topic>> = {
  'lock.acquired': 'taking',
  'lock.reentered': 'taking',
  'lock.refused': 'waiting',
  'lock.partially-released': 'taking',
  'lock.released': 'taking',
  'unlock.refused': 'trouble',
  'unlock.unanswered': 'trouble',
  'unlock.latch-left': 'trouble',
  'lock.force-released': 'trouble',
  'lock.deleted': 'trouble',
  'lock.evicted': 'trouble',
  'db.flushed': 'trouble',
  'lease.renewed': 'leases',
  'lease.shortened': 'leases',
  'renewal.refused': 'trouble',
  'renewal.without-holder': 'trouble',
  'renewal.not-run': 'trouble',
  'replicas.awaited': 'trouble',
  'lease.expired': 'trouble',
  'waiter.subscribed': 'waiting',
  'waiter.unsubscribed': 'waiting',
  'waiter.queued': 'waiting',
  'waiter.dequeued': 'waiting',
  'wakeup.published': 'waiting',
  'permits.set': 'taking',
  'permits.acquired': 'taking',
  'permits.refused': 'waiting',
  'permits.released': 'taking',
  'permits.expired': 'trouble',
  'permits.renewed': 'leases',
  'latch.set': 'taking',
  'latch.counted-down': 'taking',
  'latch.opened': 'taking',
  'latch.deleted': 'trouble',
  failover: 'trouble',
  'lock.lost': 'trouble',
  'lock.moved': 'watching',
  'blind-spot.began': 'watching',
  'blind-spot.ended': 'watching',
  'lock.found': 'watching',
  'lock.learned': 'watching',
  'drift.healed': 'watching',
  'client.connected': 'watching',
  'client.idle': 'watching',
  'client.gone': 'trouble',
  'client.unknown': 'watching',
  'server.reported': 'watching',
  'server.refused': 'trouble',
  'server.denied': 'trouble',
  'server.stood-still': 'trouble',
  'insight.opened': 'trouble',
  'insight.closed': 'watching',
  'insight.noted': 'watching',
};

/** Returns the event types of a topic, in the order of the table. */
export function typesOf(topic: Topic): EventType[] {
  // all keys of `TOPIC_OF` are event types
  return (Object.keys(TOPIC_OF) as EventType[]).filter((type) => TOPIC_OF[type] === topic);
}
