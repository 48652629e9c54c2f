import { type RedisTime, redisTime } from '../base/time.ts';
import { clientOf } from '../events/names/names.ts';
import type { LockState, WaiterState } from '../state/lock-state.ts';
import { isDeadWaiter } from './dead-waiters.ts';
import type { LockSight } from './detector.ts';

/** The waiters in the queue of a fair lock, the head first. */
export function queueOf({ waiters }: LockState): WaiterState[] {
  return waiters.filter(({ position }) => position !== null).sort((a, b) => (a.position ?? 0) - (b.position ?? 0));
}

/** The dead waiters at the beginning of a queue, up to the first that is alive. */
export function deadHeadsOf(sight: LockSight, queue: readonly WaiterState[]): readonly WaiterState[] {
  const isDead = (waiter: WaiterState) => isDeadWaiter(waiter, sight.clientOf(clientOf(waiter.id)).presence);
  const firstAlive = queue.findIndex((waiter) => !isDead(waiter));
  return firstAlive === -1 ? queue : queue.slice(0, firstAlive);
}

/** The latest deadline of these waiters; null: a deadline is not known, or there are no waiters. */
export function lastDeadline(waiters: readonly WaiterState[]): RedisTime | null {
  const deadlines = waiters.map(({ deadline }) => deadline);
  if (deadlines.length === 0 || deadlines.some((each) => each === null)) return null;
  return redisTime(Math.max(...deadlines.map(Number)));
}

/** Whether no thread holds the lock. */
export function isUnheld({ holders, holdersBeyond }: LockState): boolean {
  return holders.length + holdersBeyond === 0;
}
