import type { EventType, LockEvent } from '../../events/event.ts';
import type { LockDetector } from '../detector.ts';
import type { FindingOf } from '../insight.ts';

type Incident = 'unlock-by-non-owner';

/** Refused unlocks are reported for this long. */
const WITHIN_MS = 10 * 60_000;
/** How many events of one finding are listed: the newest. */
const MOST_EVENTS = 20;

/** Events that take a hold away. Its holder may unlock later in good faith, so that is another incident. */
const LOSSES = [
  ...(['lock.deleted', 'lock.force-released', 'lock.evicted', 'db.flushed', 'lock.lost', 'lease.expired'] as const),
] satisfies readonly EventType[];

/**
 * A thread unlocked a lock that another thread held, and it had not lost a hold before. A RedLock unlocks members that it
 * never held, which is normal. One finding for each thread.
 */
export const unlockByNonOwner: LockDetector<Incident> = {
  incident: 'unlock-by-non-owner',
  of: 'lock',
  levels: ['monitor'],
  wants: { types: ['unlock.refused'], beside: LOSSES, withinMs: WITHIN_MS },
  detect({ lock, lockId, events }) {
    if (events.length === 0) return [];
    const tries = new Map<string, { refused: LockEvent[]; sawSuccess: boolean }>();
    const robbed = new Set<string>();
    for (const event of events) {
      for (const loser of losersOf(event)) robbed.add(loser);
      if (event.type !== 'unlock.refused' || event.reason !== 'not-owner' || event.groupStep !== undefined) continue;
      if (robbed.has(event.holder)) continue;
      const of = tries.get(event.holder) ?? { refused: [], sawSuccess: false };
      of.refused.push(event);
      of.sawSuccess ||= event.callerSawSuccess ?? false;
      tries.set(event.holder, of);
    }
    const heldBy = lock.holders[0]?.id ?? null;
    return [...tries].flatMap(([holder, { refused, sawSuccess }]): FindingOf<Incident>[] => {
      const last = refused.at(-1);
      if (!last) return [];
      return [
        {
          incident: 'unlock-by-non-owner',
          severity: 'warning',
          confidence: 'likely',
          lockId,
          holders: [holder],
          from: last.at,
          to: last.at,
          selfHealsAt: null,
          events: refused.slice(-MOST_EVENTS).map(({ seq }) => seq),
          values: { holder, at: last.at, heldBy, times: refused.length, sawSuccess },
        },
      ];
    });
  },
};

/** The holders that lost their hold by this event. */
function losersOf(event: LockEvent): readonly string[] {
  if (event.type === 'unlock.refused' || !('holder' in event) || event.holder === undefined) return [];
  return 'holders' in event && event.holders ? event.holders.map(String) : [event.holder];
}
