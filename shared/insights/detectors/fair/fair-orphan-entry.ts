import { OBSERVE_LEVELS } from '../../../base/observe-level.ts';
import { type Millis, plusMillis } from '../../../base/time.ts';
import { queueKey } from '../../../events/names/names.ts';
import type { WaiterState } from '../../../state/lock-state.ts';
import type { LockDetector } from '../../detector.ts';
import { isUnheld, queueOf } from '../../fair-queue.ts';
import { plainName } from '../../plain-name.ts';

/** An entry without a deadline counts only after this time: a client may set both in two commands. */
const SETTLED: Millis = 2000;

/**
 * An entry of the queue has no deadline, so it is never evicted. If its waiter is dead, no thread can acquire the lock
 * again. Scripts before 3.31.0 end with an error at such a head. One finding for each entry.
 */
export const fairOrphanEntry: LockDetector<'fair-orphan-entry'> = {
  incident: 'fair-orphan-entry',
  effect: 'stuck',
  of: 'lock',
  withoutCommands: 'same',
  levels: OBSERVE_LEVELS,
  concerns: ({ waiters }) => waiters.some(isUndated),
  detect({ lock, lockId, hasCome }) {
    const queue = queueOf(lock);
    return queue.flatMap((waiter, n) => {
      const { undated, id } = waiter;
      if (!undated || !isUndated(waiter) || !hasCome(plusMillis(undated.at, SETTLED))) return [];
      const waiting = queue.length - n - 1 + lock.waitersBeyond;
      const isFree = isUnheld(lock);
      return [
        {
          incident: 'fair-orphan-entry',
          severity: isFree && n === 0 ? 'critical' : 'warning',
          confidence: 'certain',
          lockId,
          holders: [id],
          from: undated.at,
          to: null,
          selfHealsAt: null,
          events: [undated.seq],
          values: { holder: id, position: n + 1, isFree, waiting, queue: plainName(queueKey(lock.name)) },
        },
      ];
    });
  },
};

function isUndated({ undated, position, deadline }: WaiterState): boolean {
  return undated !== undefined && position !== null && deadline === null;
}
