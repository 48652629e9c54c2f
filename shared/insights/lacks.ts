import type { ServerFacts } from '../events/types/server-event.ts';
import type { LockState } from '../state/lock-state.ts';
import type { Detector, SourceSight } from './detector.ts';
import type { Lack } from './insight.ts';

/** What a detector would need to see every incident of its kind, and does not have at this source. */
export function lacksOf(
  detector: Detector,
  sight: SourceSight,
  server: ServerFacts | undefined,
): Exclude<Lack, 'listeners'>[] {
  const lacks = new Set(sight.lacks);
  if (server && lacksEvictions(server.keyEvents)) lacks.add('key-events');
  const { of, needs = [] } = detector;
  const all: readonly Exclude<Lack, 'listeners'>[] = of === 'source' ? needs : [...needs, 'locks'];
  return all.filter((need) => lacks.has(need));
}

/** Whether Redis is known not to publish evictions. */
function lacksEvictions(flags: string | null): boolean {
  return flags !== null && !/[Ae]/.test(flags);
}

/**
 * Whether threads may wait for a lock that has been held since before watching began, refused before it: connections listen, and
 * none of its waiters was seen, or listeners are not counted. After its next release all waiters are known, because they try again.
 */
export function hasUnseenWaiters({ holders, waiters, subscribers }: LockState, { lacks = [] }: SourceSight): boolean {
  const areListening = (subscribers ?? 0) > 0 && waiters.length === 0;
  return (areListening || lacks.includes('listeners')) && holders.some(({ since }) => since === null);
}
