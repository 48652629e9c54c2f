import { type Millis, millisBetween, plusMillis, type RedisTime } from '../../../base/time.ts';
import { KINDS } from '../../../events/kinds/kinds.ts';
import type { LockState, WaiterState } from '../../../state/lock-state.ts';
import { attemptsPerSecond } from '../../../state/notes/fair-notes.ts';
import type { LockDetector } from '../../detector.ts';
import { deadHeadsOf, isUnheld, lastDeadline, queueOf } from '../../fair-queue.ts';
import { isFromBefore } from '../../from-before.ts';

/** A waiter that sleeps between its attempts is far below this rate. */
const FEWEST_PER_SECOND = 50;
/** Fewer attempts do not show a loop. */
const FEWEST_ATTEMPTS = 50;
/** On a busy machine, a head that was woken may take this long to acquire the free lock. */
const WAKES_UP: Millis = 1000;
/** A loop that is silent for this long has ended. */
const OVER_AFTER: Millis = 1000;

/**
 * A waiter attempts without a pause, often thousands of times a second: the lock is free, but the head of the queue
 * does not acquire it. Redisson 3.32.0 and later let such a waiter attempt again at once. The loop ends when the head
 * is evicted. `fair-head-dead` reports the head itself. If the head may just be waking up, the loop is not reported
 * yet. One finding for each waiter.
 */
export const fairHotLoop: LockDetector<'fair-hot-loop'> = {
  incident: 'fair-hot-loop',
  effect: 'slow',
  of: 'lock',
  withoutCommands: 'nothing',
  levels: ['monitor'],
  concerns: ({ kind, waiters }) => KINDS[kind].hasQueue === true && waiters.some(({ run }) => run),
  detect(sight) {
    const { lock, lockId, isPast } = sight;
    if (!isUnheld(lock)) return [];
    const queue = queueOf(lock);
    const [head] = queue;
    const dead = deadHeadsOf(sight, queue);
    return lock.waiters.filter(isLoop).flatMap((waiter) => {
      const { run, id, attempts } = waiter;
      if (!run || (dead.length === 0 && isWakingUp(lock, run.lastAt))) return [];
      const isOver = isPast(plusMillis(run.lastAt, OVER_AFTER));
      const before = queue.slice(0, Math.max(0, queue.indexOf(waiter)));
      const deadline = lastDeadline(before);
      return [
        {
          incident: 'fair-hot-loop',
          severity: 'critical',
          confidence: 'certain',
          lockId,
          holders: [id],
          from: run.since,
          ...(isFromBefore(sight, run.since) ? { isAtLeast: true } : undefined),
          to: isOver ? run.lastAt : null,
          // a head that is alive may acquire the lock, or queue again at the tail
          selfHealsAt: !isOver && before.length > 0 && before.length <= dead.length ? deadline : null,
          events: [run.seq],
          values: {
            ...{
              holder: id,
              perSecond: Math.round(attemptsPerSecond(waiter)),
              attempts: attempts - run.firstAttempt + 1,
            },
            ...{ head: head && head !== waiter ? head.id : null, deadline, version: lock.clientVersion },
          },
        },
      ];
    });
  },
};

/** Whether the lock was released less than a second before `at`, so that the head may just be waking up. */
function isWakingUp({ freed }: LockState, at: RedisTime): boolean {
  return freed?.by === 'lock.released' && millisBetween(freed.at, at) < WAKES_UP;
}

function isLoop(waiter: WaiterState): boolean {
  const { run, attempts } = waiter;
  if (!run || waiter.isAsleep || attempts - run.firstAttempt < FEWEST_ATTEMPTS) return false;
  return attemptsPerSecond(waiter) >= FEWEST_PER_SECOND;
}
