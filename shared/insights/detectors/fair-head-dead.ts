import { OBSERVE_LEVELS } from '../../base/observe-level.ts';
import { type RedisTime, redisTime } from '../../base/time.ts';
import { KINDS } from '../../events/kinds/kinds.ts';
import { clientOf } from '../../events/names/names.ts';
import type { LockState, WaiterState } from '../../state/lock-state.ts';
import { isDeadWaiter } from '../dead-waiters.ts';
import type { LockDetector, LockSight } from '../detector.ts';

/**
 * The head of a fair lock's queue is dead. Only the head can acquire the lock, and it is removed only when its deadline has
 * passed. Dead waiters right behind it add their deadlines.
 */
export const fairHeadDead: LockDetector<'fair-head-dead'> = {
  incident: 'fair-head-dead',
  of: 'lock',
  levels: OBSERVE_LEVELS,
  concerns: ({ kind, waiters }) => KINDS[kind].hasQueue === true && waiters.some(({ position }) => position !== null),
  detect(sight) {
    const { lock, lockId } = sight;
    const queue = queueOf(lock);
    const [head] = queue;
    if (!head) return [];
    const { presence, goneSince } = sight.clientOf(clientOf(head.id));
    if (!isDead(sight, head)) return presence === 'unknown' ? 'presence' : [];
    const firstAlive = queue.findIndex((waiter) => !isDead(sight, waiter));
    const dead = firstAlive === -1 ? queue : queue.slice(0, firstAlive);
    const waiting = queue.length - dead.length + lock.waitersBeyond;
    const isFree = lock.holders.length + lock.holdersBeyond === 0;
    const deadline = lastDeadline(dead);
    return [
      {
        incident: 'fair-head-dead',
        severity: isFree && waiting > 0 ? 'critical' : 'warning',
        confidence: presence === 'gone' ? 'certain' : 'likely',
        lockId,
        holders: dead.map(({ id }) => id),
        from: beginningOf(head, goneSince),
        to: null,
        selfHealsAt: deadline,
        events: dead.flatMap(({ firstSeq }) => firstSeq ?? []),
        values: { holder: head.id, goneSince, deadline, dead: dead.length, waiting, isFree },
      },
    ];
  },
};

/** The waiters in the queue, the head first. */
function queueOf({ waiters }: LockState): WaiterState[] {
  return waiters.filter(({ position }) => position !== null).sort((a, b) => (a.position ?? 0) - (b.position ?? 0));
}

function isDead(sight: LockSight, waiter: WaiterState): boolean {
  return isDeadWaiter(waiter, sight.clientOf(clientOf(waiter.id)).presence);
}

function beginningOf({ since, presumedGoneAt }: WaiterState, goneSince: RedisTime | null): RedisTime {
  const known = goneSince ?? presumedGoneAt ?? since;
  return redisTime(Math.max(since, known));
}

/** When the last of them is removed; null: a deadline is not known. */
function lastDeadline(dead: readonly WaiterState[]): RedisTime | null {
  const deadlines = dead.map(({ deadline }) => deadline);
  return deadlines.some((each) => each === null) ? null : redisTime(Math.max(...deadlines.map(Number)));
}
