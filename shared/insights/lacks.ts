import { clientOf } from '../events/names/names.ts';
import type { ServerFacts } from '../events/types/server-event.ts';
import { isHeld, type LockState } from '../state/lock-state.ts';
import type { Detector, SourceSight } from './detector.ts';
import type { Lack } from './insight.ts';

/**
 * What a detector would need to see every incident of its kind, and does not have at this source. For listeners,
 * `isUncounted` decides.
 */
export function lacksOf(
  detector: Detector,
  sight: SourceSight,
  server: ServerFacts | undefined,
): Exclude<Lack, 'listeners'>[] {
  const lacks = new Set(sight.lacks);
  if (server && lacksEvictions(server.keyEvents)) lacks.add('key-events');
  const { of, needs = [] } = detector;
  const all: readonly Lack[] = of === 'source' ? needs : [...needs, 'locks'];
  return all.filter((need) => need !== 'listeners').filter((need) => lacks.has(need));
}

/** Whether Redis is known not to publish evictions. Without `K` and `E` it publishes nothing. */
function lacksEvictions(flags: string | null): boolean {
  return flags !== null && !(/[KE]/.test(flags) && /[Ae]/.test(flags));
}

/**
 * Whether a lock has been held since before watching began, and more connections listen for it than clients were seen
 * to wait: the other clients were refused before watching began. After the next release all waiters are known, because
 * they attempt again.
 */
export function hasUnseenWaiters({ holders, waiters, waitersBeyond, subscribers }: LockState): boolean {
  if (!subscribers || waitersBeyond > 0 || !isHeldFromBefore(holders)) return false;
  return subscribers > new Set(waiters.map(({ id }) => clientOf(id))).size;
}

/**
 * Whether connections listen for a free lock, or threads are in its queue, and nothing else about the lock was seen
 * since watching began. The waiters may sleep although the lock is free, and how it became free is not known.
 */
export function isFreeFromBefore(lock: LockState): boolean {
  const { waiters, waitersBeyond, subscribers, freed, refilled, permits, totals, certainty } = lock;
  const areListening = (subscribers ?? 0) > 0 || waiters.length + waitersBeyond > 0;
  if (!areListening || isHeld(lock) || permits?.available === 0 || certainty !== 'inferred') return false;
  if (freed !== undefined || refilled !== undefined || waiters.some(({ attempts }) => attempts > 0)) return false;
  return totals.acquisitions + totals.refusals + totals.renewals + totals.expiries === 0;
}

/**
 * Whether connections listen for a semaphore without a free permit, or for a latch that is not open, and nothing else
 * about that semaphore or latch was seen since watching began. It is not known how long these connections have waited.
 */
export function isShutFromBefore({ permits, latch, subscribers, holders, waiters, totals }: LockState): boolean {
  const isShut = permits?.available === 0 || (latch?.count ?? 0) > 0;
  if (!isShut || !subscribers || holders.length > 0 || waiters.length > 0) return false;
  return totals.acquisitions + totals.refusals + totals.expiries === 0;
}

/** Whether a lock may have waiters that were not seen: the listeners that would show them are not counted. */
export function isUncounted({ holders }: LockState, { lacks = [] }: SourceSight): boolean {
  return lacks.includes('listeners') && isHeldFromBefore(holders);
}

function isHeldFromBefore(holders: LockState['holders']): boolean {
  return holders.some(({ since }) => since === null);
}
