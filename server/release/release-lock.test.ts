import { expect, test } from 'vitest';
import { locksFromEvents } from '../../testing/stories/locks-from-events.ts';
import { groupedEventsFromTrace } from '../../testing/traces/grouped-trace.ts';
import { type Golden, goldensIn, OTHER } from '../../testing/traces/read-trace.ts';
import { unsafeReason } from './release-lock.ts';

/** Why the lock that was acquired last in a trace could not be released then. */
function reasonsIn({ trace, isPushFirst }: Golden): string {
  const events = groupedEventsFromTrace(trace(), isPushFirst);
  const acquired = events.findLast(({ type }) => type === 'lock.acquired');
  if (acquired === undefined) return 'never held';
  const lock = locksFromEvents(events, acquired.at).find(({ held }) => held);
  return lock === undefined ? 'none held' : `${lock.library}: ${unsafeReason(lock) ?? 'can be released'}`;
}

test('a lock of another library can be released if its waiters poll; waiters of spring-integration, BullMQ and python-redis-lock are woken', () => {
  const reasons = new Set(goldensIn(OTHER).map(reasonsIn));
  expect([...reasons].sort()).toEqual([
    'aioredlock: can be released',
    'bullmq: library',
    'celery-once: can be released',
    'celery-singleton: can be released',
    'laravel: can be released',
    'laravel: guessed',
    'lock4j: can be released',
    'never held', // permits of a semaphore
    'pottery: can be released',
    'python-redis-lock: library',
    'redis-py: can be released',
    'redis-py: guessed',
    'redis-semaphore: can be released',
    'redislock: can be released',
    'redlock-universal: can be released',
    'redlock: can be released',
    'redsync: can be released',
    'redsync: guessed',
    'rueidislock: library', // it has three keys
    'sesamecare-redlock: can be released',
    'shedlock: can be released',
    'spring-integration: library',
    'unknown: guessed',
    'unknown: library', // of Pottery, before one of its scripts ran
    'upstash: can be released',
    'warlock: can be released',
    'warlock: guessed',
  ]);
});
