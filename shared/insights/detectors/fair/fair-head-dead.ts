import { OBSERVE_LEVELS } from '../../../base/observe-level.ts';
import { type RedisTime, redisTime } from '../../../base/time.ts';
import { KINDS } from '../../../events/kinds/kinds.ts';
import { clientOf } from '../../../events/names/names.ts';
import type { LockState, WaiterState } from '../../../state/lock-state.ts';
import type { LockDetector } from '../../detector.ts';
import { deadHeadsOf, isUnheld, lastDeadline, queueOf } from '../../fair-queue.ts';
import { isOfLateClient } from '../../sleepers.ts';
import { isOfPause } from '../../standstills.ts';

/**
 * The head of a fair lock's queue is dead. Only the head can acquire the lock, and it is removed only when its deadline has
 * passed. Dead waiters right behind it add their deadlines. Unlike other waiters, a silent one is presumed gone although its client may
 * only be late (W19): until it asks, it blocks the queue all the same.
 */
export const fairHeadDead: LockDetector<'fair-head-dead'> = {
  incident: 'fair-head-dead',
  effect: 'stuck',
  of: 'lock',
  withoutCommands: 'same',
  levels: OBSERVE_LEVELS,
  needs: ['presence'],
  concerns: ({ kind, waiters }) => KINDS[kind].hasQueue === true && waiters.some(({ position }) => position !== null),
  detect(sight) {
    const { lock, lockId } = sight;
    const queue = queueOf(lock);
    const [head] = queue;
    if (!head) return [];
    const { presence, goneSince, lateAt } = sight.clientOf(clientOf(head.id));
    const dead = deadHeadsOf(sight, queue);
    if (dead.length === 0) return presence === 'unknown' ? 'presence' : [];
    const silentSince = head.presumedGoneAt ?? head.since;
    if (presence !== 'gone' && (!sight.hasCome(silentSince) || isOfPause(sight, silentSince))) return [];
    const isLate = presence !== 'gone' && isOfLateClient(head, sight, silentSince);
    const waiting = queue.length - dead.length + lock.waitersBeyond;
    const isFree = isUnheld(lock);
    const deadline = lastDeadline(dead);
    return [
      {
        incident: 'fair-head-dead',
        severity: isFree && (waiting > 0 || isRefusing(lock)) ? 'critical' : 'warning',
        confidence: presence === 'gone' ? 'certain' : isLate ? 'hint' : 'likely',
        lockId,
        holders: dead.map(({ id }) => id),
        from: beginningOf(head, goneSince),
        to: null,
        selfHealsAt: deadline,
        events: dead.flatMap(({ firstSeq }) => firstSeq ?? []),
        values: {
          ...{ holder: head.id, goneSince, deadline, dead: dead.length, waiting, isFree },
          lateAt: isLate ? (lateAt ?? null) : null,
        },
      },
    ];
  },
};

/** Whether it refuses threads that do not queue: `tryLock()`. */
function isRefusing({ waiters }: LockState): boolean {
  return waiters.some(({ position, presumedGoneAt }) => position === null && presumedGoneAt === null);
}

function beginningOf({ since, presumedGoneAt }: WaiterState, goneSince: RedisTime | null): RedisTime {
  const known = goneSince ?? presumedGoneAt ?? since;
  return redisTime(Math.max(since, known));
}
