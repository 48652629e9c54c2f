import { type Millis, plusMillis } from '../../../base/time.ts';
import { KINDS } from '../../../events/kinds/kinds.ts';
import { changesHandsUntil, handoversPerSecond } from '../../../state/handovers.ts';
import { CROWD, type WaiterState } from '../../../state/lock-state.ts';
import { usualHold } from '../../../state/notes/usual-holds.ts';
import type { LockDetector, LockSight } from '../../detector.ts';
import { isOverdue } from '../../sleepers.ts';

/** If many threads wait for less time than this, that may be a burst. */
const SHORTEST: Millis = 30_000;

/**
 * Many threads wait for a lock all the time, and the lock changes hands: each hold is short, but there are too many. If
 * it no longer changes hands, `threads-waited-long` reports the holder. Locks that are polled are left out, because
 * they show no hand-over.
 */
export const convoy: LockDetector<'convoy'> = {
  incident: 'convoy',
  effect: 'slow',
  of: 'lock',
  withoutCommands: 'nothing',
  levels: ['monitor'],
  needsWaiters: true,
  concerns: ({ notes, handovers, kind }) =>
    notes?.crowdedSince !== undefined && handovers !== undefined && KINDS[kind].wakeUp !== 'polling',
  detect(sight) {
    const { lock, lockId } = sight;
    const { handovers, notes: { crowdedSince } = {} } = lock;
    const usual = usualHold(lock);
    if (!crowdedSince || !handovers || !usual) return [];
    const mayBeGone = (waiter: WaiterState) => waiter.presumedGoneAt !== null || isOverdue(waiter, sight);
    const present = lock.waiters.filter((waiter) => waiter.isConfirmed && !mayBeGone(waiter));
    const waiting = present.length + lock.waitersBeyond;
    const isLong = sight.hasCome(plusMillis(crowdedSince.at, SHORTEST));
    if (!isLong || waiting < CROWD || !isChangingHands(sight)) return [];
    const oldest = Math.min(...present.map(({ since }) => since));
    return [
      {
        incident: 'convoy',
        severity: 'hint',
        confidence: 'certain',
        lockId,
        holders: [], // the waiting threads change, and the convoy continues
        from: crowdedSince.at,
        ...(crowdedSince.isOlder ? { isAtLeast: true } : undefined),
        to: null,
        selfHealsAt: null,
        events: [crowdedSince.seq],
        values: {
          ...{ waiting, holdMs: usual.ms, holds: usual.holds, perSecond: handoversPerSecond(handovers, sight.now) },
          waitedMs: Math.max(0, (sight.now - oldest) / 1000),
        },
      },
    ];
  },
};

function isChangingHands({ lock: { handovers }, isPast }: LockSight): boolean {
  return handovers !== undefined && handovers.perSecond > 0 && !isPast(changesHandsUntil(handovers));
}
