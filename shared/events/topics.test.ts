import { expect, test } from 'vitest';
import { EVENT_TYPES } from './event.ts';
import { TOPICS, typesOf } from './topics.ts';

test('every event type is in exactly one topic, and every topic has an event type', () => {
  const grouped = TOPICS.flatMap(typesOf);
  expect([...grouped].sort()).toEqual([...EVENT_TYPES].sort());
  for (const topic of TOPICS) expect(typesOf(topic), topic).not.toHaveLength(0);
});

test('events that end a hold against the will of its holder are in the topic "trouble"', () => {
  const ends = ['lease.expired', 'lock.deleted', 'lock.evicted', 'lock.force-released', 'lock.lost', 'permits.expired'];
  expect(typesOf('trouble')).toEqual(expect.arrayContaining(ends));
});
