import { OBSERVE_LEVELS } from '../../../base/observe-level.ts';
import { plusMillis, type RedisTime, redisTime } from '../../../base/time.ts';
import { KINDS } from '../../../events/kinds/kinds.ts';
import { clientOf } from '../../../events/names/names.ts';
import type { LockState, WaiterState } from '../../../state/lock-state.ts';
import type { LockDetector, LockSight } from '../../detector.ts';
import { deadHeadsOf, isUnheld, lastDeadline, queueOf } from '../../fair-queue.ts';
import { DEFAULT_WATCHDOG_MS } from '../../lease-renewal.ts';
import { isOfLateClient } from '../../sleepers.ts';
import { isOfPause, stoodStillIn } from '../../standstills.ts';

/**
 * The head of a fair lock's queue is dead. Only the head can acquire the lock, and it is evicted only after its
 * deadline. Dead waiters right behind it add their deadlines.
 *
 * - Unlike another waiter, a silent head is presumed gone although its client may only be late (W19): until it
 *   attempts, it blocks the queue.
 * - About a head that only a read has shown, one thing is known: it does not acquire the lock, although it could. After
 *   30 s it counts as dead.
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
    if (!head || isOver(queue, sight)) return [];
    const { presence, goneSince, lateAt } = sight.clientOf(clientOf(head.id));
    const known = deadHeadsOf(sight, queue);
    const idleSince = known.length === 0 ? idleSinceOf(sight, head) : undefined;
    const isIdle = idleSince !== undefined && sight.hasCome(plusMillis(idleSince, DEFAULT_WATCHDOG_MS));
    if (known.length === 0 && !isIdle) {
      if (presence === 'unknown') return 'presence';
      return idleSince !== undefined && !lock.freed ? 'blind-spot' : [];
    }
    const dead = isIdle ? [head] : known;
    if (isOver(dead, sight)) return [];
    const silentSince = idleSince ?? head.presumedGoneAt ?? head.since;
    if (presence !== 'gone' && (!sight.hasCome(silentSince) || isOfPause(sight, silentSince))) return [];
    if (isIdle && stoodStillIn(sight, silentSince, sight.now)) return [];
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
        from: idleSince ?? beginningOf(head, goneSince),
        ...(isIdle && !lock.freed ? { isAtLeast: true } : undefined),
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

/** Whether the deadlines of these waiters have passed: the next caller evicts them, so they block no thread. */
function isOver(waiters: readonly WaiterState[], { hasCome }: LockSight): boolean {
  const last = lastDeadline(waiters);
  return last !== null && hasCome(last);
}

/**
 * The instant from which on a head that only a read has shown could have acquired the lock, but did not. Until the
 * head's deadline, no other thread can acquire the lock. Undefined: the lock is held, the head was seen to attempt, or
 * some locks of the source are not seen.
 */
function idleSinceOf({ lock, watched }: LockSight, { attempts, since }: WaiterState): RedisTime | undefined {
  if (attempts > 0 || !isUnheld(lock) || watched.lacks?.includes('locks')) return undefined;
  const evictions = lock.waiters.map(({ evicted }) => evicted?.at ?? 0);
  const isAsked = lock.waiters.some((waiter) => waiter.attempts > 0);
  const changedAt = isAsked ? 0 : lock.changedAt; // without attempts, each event is a change
  return redisTime(Math.max(watched.watchedSince, since, lock.freed?.at ?? 0, changedAt, ...evictions));
}

/** Whether the lock has refused threads that do not queue, as `tryLock()`. */
function isRefusing({ waiters }: LockState): boolean {
  return waiters.some(({ position, presumedGoneAt }) => position === null && presumedGoneAt === null);
}

function beginningOf({ since, presumedGoneAt }: WaiterState, goneSince: RedisTime | null): RedisTime {
  const known = goneSince ?? presumedGoneAt ?? since;
  return redisTime(Math.max(since, known));
}
