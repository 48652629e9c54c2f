import type { ServerFacts } from '../events/types/server-event.ts';
import type { LockState } from '../state/lock-state.ts';
import type { Detector, SourceSight } from './detector.ts';
import type { Lack } from './insight.ts';

/** What a detector would need to see every incident of its kind, and does not have at this source. */
export function lacksOf(detector: Detector, sight: SourceSight, server: ServerFacts | undefined): Lack[] {
  const lacks = new Set(sight.lacks);
  if (server && lacksEvictions(server.keyEvents)) lacks.add('key-events');
  const { of, needs = [] } = detector;
  const all: readonly Lack[] = of === 'source' ? needs : [...needs, 'locks'];
  return all.filter((need) => lacks.has(need));
}

/** Whether Redis is known not to publish evictions. */
function lacksEvictions(flags: string | null): boolean {
  return flags !== null && !/[Ae]/.test(flags);
}

/**
 * Whether connections listen for a lock, and none of its waiters was seen: the lock has been held since before watching began,
 * and they were refused before it. After its next release all waiters are known, because they try again.
 */
export function hasUnseenWaiters({ holders, waiters, subscribers }: LockState): boolean {
  return (subscribers ?? 0) > 0 && waiters.length === 0 && holders.some(({ since }) => since === null);
}
