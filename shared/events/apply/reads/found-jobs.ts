import { plusMillis, type RedisTime } from '../../../base/time.ts';
import type { KeyRead } from '../../../signals/signal.ts';
import type { Context } from '../../context.ts';
import { isHashOfJobs } from '../../libraries/unique-jobs.ts';
import type { LockKey } from '../../mirror/lock-key.ts';
import { counterOf } from '../counters/counters.ts';
import { count, hashOf } from '../tokens/permit-sets.ts';
import { hasSameIds, reportEachPermit, reportListed } from './found-permit-ids.ts';
import { loseCounter } from './lose-counter.ts';

/**
 * Applies a read of a hash of sidekiq-unique-jobs, in which each field is a job that holds the lock. Returns false for
 * any other key.
 */
export function applyFoundJobs(to: Context, read: KeyRead, at: RedisTime): boolean {
  const { db, name, type, pttl, fields } = read;
  if (!isHashOfJobs(name)) return false;
  const jobs = type === 'hash' && pttl !== -2 ? Object.keys(fields) : [];
  const known = to.keys.find(db, name)?.mirrors?.counter?.isSet;
  if (jobs.length === 0 && !known) return true;
  const key = hashOf(to, { lock: name, at }, { db, by: undefined, released: undefined });
  if (!key) return true;
  const wasSeen = known && counterOf(key).seen === 'all';
  const before = adoptFound(key, jobs, pttl < 0 ? null : plusMillis(at, pttl));
  const counter = counterOf(key);
  if (known && hasSameIds(before, counter.deadlines)) return true;
  const about = { db, lock: name, kind: key.kind, at, certainty: 'inferred' } as const;
  if (to.hasCommands || !(wasSeen || read.hasChanged)) reportListed(to, about, counter);
  else reportEachPermit(to, about, before, counter);
  return true;
}

/**
 * Without commands: reports that the key of a hash of jobs is gone. If a field was removed just before, or if a single
 * job held the lock, the jobs released it. Otherwise the key was deleted. Returns false for any other key.
 */
export function loseJobs(to: Context, key: LockKey, at: RedisTime, isAfterField: boolean): boolean {
  if (!key.mirrors?.counter?.isSet || !isHashOfJobs(key.name)) return false;
  const about = { db: key.db, lock: key.name, kind: key.kind, at, certainty: 'inferred' } as const;
  if (counterOf(key).deadlines.size > 1 && !isAfterField)
    return loseCounter(to, key, { ...about, type: 'lock.deleted' });
  const before = adoptFound(key, [], null);
  if (before.size > 0) reportEachPermit(to, about, before, counterOf(key));
  return true;
}

/** Notes that these jobs hold the lock until `end`. Returns the previous jobs, each with its end. */
function adoptFound(key: LockKey, jobs: readonly string[], end: RedisTime | null) {
  const counter = counterOf(key);
  const before = new Map(counter.deadlines);
  counter.deadlines.clear();
  for (const job of jobs) counter.deadlines.set(job, end);
  for (const job of counter.members?.keys() ?? []) if (!counter.deadlines.has(job)) counter.members?.delete(job);
  counter.isThere = jobs.length > 0;
  counter.seen = 'all';
  count(counter, counter.total);
  key.expiresAt = jobs.length > 0 ? end : undefined;
  return before;
}
