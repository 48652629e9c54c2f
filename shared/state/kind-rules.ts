import type { EventType, LockEvent } from '../events/event.ts';
import type { Rules } from './rules.ts';

/** Events that only a lock's own attempts and unlocks make. Renewals and messages are the same for several kinds. */
const SHOWING = new Set<EventType>([
  'lock.acquired',
  'lock.reentered',
  'lock.refused',
  'lock.partially-released',
  'lock.released',
  'unlock.refused',
  'lock.force-released',
  'permits.acquired',
  'permits.refused',
]);

/** Whether an event shows what kind of lock it is: until one does, a plain lock is only the likeliest,
 * and so is a semaphore whose permits never expire. */
export function isKindShownBy(event: LockEvent): boolean {
  if (event.kind === 'token-lock') return event.kindKnown !== false;
  const isLikely = event.kind === 'lock' || event.kind === 'semaphore';
  return !isLikely || (event.certainty === 'observed' && SHOWING.has(event.type));
}

/** What came to be known of a lock later than it was so. Its kind is the event's own. */
export const KIND_RULES: Rules<'lock.learned'> = {
  'lock.learned': (lock, event) => ({ ...lock, fencingToken: event.fencingToken ?? lock.fencingToken }),
};
