import type { EventType, LockEvent } from '../../events/event.ts';
import { isTokenKind, KINDS } from '../../events/kinds/kinds.ts';
import { lockWith } from '../copies.ts';
import type { Rules } from '../rule.ts';
import { counted } from './holding-rules.ts';

/** Events that show the kind of a lock: attempts and unlocks. Renewals and messages are the same for several kinds. */
const SHOWS_ITS_KIND = new Set<EventType>([
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

/**
 * Whether an event shows what kind of lock it is. Until one does, the lock is assumed to be a plain lock, or a
 * semaphore whose permits never expire.
 */
export function isKindShownBy(event: LockEvent): boolean {
  if (event.kindKnown === false) return false;
  if (isTokenKind(event.kind)) return true;
  const isLikely = KINDS[event.kind].isAssumedFor !== undefined;
  // Without a count, only the fields of the hash were seen: they are the same for several kinds.
  const isOfFields = event.type === 'lock.acquired' && event.holdCount === undefined;
  return !isLikely || (event.certainty === 'observed' && SHOWS_ITS_KIND.has(event.type) && !isOfFields);
}

/** Facts about a lock that were learned late. `reduceLock` sets the kind. */
export const KIND_RULES: Rules<'lock.learned'> = {
  'lock.learned': (lock, event) =>
    event.holdCount === undefined
      ? lockWith(lock, { fencingToken: event.fencingToken ?? lock.fencingToken })
      : counted(lock, event, event.holdCount),
};
