import { plusMillis } from '../../../base/time.ts';
import { type DetailOf, type EventType, isOfHolder, type LockEvent } from '../../../events/event.ts';
import { isTokenKind } from '../../../events/kinds/kinds.ts';
import type { LockState } from '../../../state/lock-state.ts';
import type { DroppedEvents, LockDetector, SourceSight } from '../../detector.ts';
import type { FindingOf } from '../../insight.ts';
import { LOST_WITHIN_MS } from './overlap.ts';

type Incident = 'lost-before-watching';
type Refused = LockEvent & DetailOf<'renewal.refused' | 'unlock.refused'>;

/** Events of a thread that holds or held the lock. If there was one, other detectors explain a refusal. */
const EVENTS_OF_HOLDS = [
  ...(['lock.found', 'lock.acquired', 'lock.reentered', 'lock.partially-released', 'lock.released'] as const),
  ...(['lease.renewed', 'lease.expired', 'lock.deleted', 'lock.evicted', 'lock.lost', 'db.flushed'] as const),
  ...(['lock.force-released', 'drift.healed', 'unlock.unanswered'] as const),
] satisfies readonly EventType[];

/**
 * A refusal this soon after watching began proves nothing: a renewal that Redis runs right after the unlock of its
 * thread is refused as well, and that unlock may have come before watching began.
 */
const JUST_BEGUN_MS = 2000;

/**
 * Libraries that renew and unlock only what they think they hold, on one server. A lock on several servers is unlocked
 * on all of them, also where it was never acquired.
 */
const RENEW_ONLY_OWN: ReadonlySet<string> = new Set([
  'redis-py',
  'spring-integration',
  'redislock',
  'lock4j',
  'laravel',
]);

/**
 * A thread came to renew or unlock a lock that it does not hold, and it was seen neither to acquire nor to lose the
 * lock since watching began. So it lost the lock before that, and works without it. The loss itself was not seen, so
 * its cause is not known. Reported only in the first 15 minutes of watching.
 */
export const lostBeforeWatching: LockDetector<Incident> = {
  incident: 'lost-before-watching',
  effect: 'lost',
  of: 'lock',
  withoutCommands: 'nothing',
  levels: ['monitor'],
  wants: { types: ['renewal.refused', 'unlock.refused'], beside: EVENTS_OF_HOLDS, withinMs: LOST_WITHIN_MS },
  detect({ lock, lockId, watched, events, dropped, isPast }) {
    // later, a hold that was seen may be too old to be among the events
    if (isPast(plusMillis(watched.watchedSince, LOST_WITHIN_MS))) return [];
    const found = new Map<string, FindingOf<Incident>>();
    for (const [n, event] of events.entries()) {
      const { holder } = 'holder' in event ? event : {};
      if (holder === undefined || found.has(holder) || !isOfBeliever(event, lock)) continue;
      if (event.at <= plusMillis(watched.watchedSince, JUST_BEGUN_MS) || isCut(event, dropped, watched)) continue;
      if (events.slice(0, n).some((each) => isOfHolder(each, holder))) continue;
      const isRenewal = event.type === 'renewal.refused';
      const end = isRenewal ? events.slice(n + 1).find((each) => isNoticed(each, holder)) : event;
      found.set(holder, {
        incident: 'lost-before-watching',
        severity: 'warning',
        confidence: 'likely',
        lockId,
        holders: [holder],
        from: event.at,
        isAtLeast: true,
        to: end?.at ?? null,
        selfHealsAt: null,
        events: [event.seq],
        values: { holder, at: event.at, isRenewal, isHeldByOther: isHeldByOther(event), since: watched.watchedSince },
      });
    }
    return [...found.values()];
  },
};

/** Whether the refusal shows that the refused thread thinks it holds the lock. */
function isOfBeliever(event: LockEvent, { kind, library }: LockState): event is Refused {
  if (event.type !== 'renewal.refused' && event.type !== 'unlock.refused') return false;
  if (event.reason === 'error' || event.reason === 'expired' || event.groupStep !== undefined) return false;
  if (isTokenKind(kind)) return library !== null && RENEW_ONLY_OWN.has(library);
  return event.type === 'renewal.refused' && library === 'redisson';
}

/** Whether events before this one may be missing: then the earlier events of its holder are not known. */
function isCut({ at }: LockEvent, dropped: DroppedEvents | undefined, { watchedSince }: SourceSight): boolean {
  return dropped !== undefined && dropped.to >= watchedSince && at >= dropped.since;
}

/** From this event on, the thread knows that it does not hold the lock, or it holds the lock again. */
function isNoticed(event: LockEvent, holder: string): boolean {
  return (event.type === 'unlock.refused' || event.type === 'lock.acquired') && event.holder === holder;
}

function isHeldByOther({ reason, certainty }: Refused): boolean {
  return reason === 'not-owner' && certainty === 'observed';
}
