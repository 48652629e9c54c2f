import { driftOf } from '../../../state/notes/late-deadlines.ts';
import type { LockDetector } from '../../detector.ts';
import { queueOf } from '../../fair-queue.ts';

/** How many waiters a finding names. */
const MOST_NAMED = 20;

/**
 * The deadlines of a queue are much later than its lease and length explain: up to Redisson 3.11.0, each hand-over adds
 * 5 s, even if the hold before was shorter. A dead waiter then blocks the lock until its deadline.
 *
 * Never certain: the known version is that of the newest holder's client. A waiter's client may have a later
 * version, in which deadlines are minutes apart on purpose.
 */
export const fairTimeoutDrift: LockDetector<'fair-timeout-drift'> = {
  incident: 'fair-timeout-drift',
  effect: 'slow',
  of: 'lock',
  // the queue alone does not show how long a waiter may wait: the version does, which only scripts show
  withoutCommands: 'nothing',
  levels: ['monitor'],
  concerns: ({ notes }) => notes?.drift !== undefined,
  detect({ lock, lockId, now }) {
    const { clientVersion, notes: { drift } = {} } = lock;
    const late = queueOf(lock).filter((waiter) => driftOf(lock, waiter, now) > 0);
    const [first] = late.sort((a, b) => driftOf(lock, b, now) - driftOf(lock, a, now));
    if (!drift || !first || first.deadline === null) return [];
    return [
      {
        incident: 'fair-timeout-drift',
        severity: 'warning',
        confidence: 'likely',
        lockId,
        holders: late.slice(0, MOST_NAMED).map(({ id }) => id),
        from: drift.at,
        to: null,
        selfHealsAt: null,
        events: [drift.seq],
        values: {
          holder: first.id,
          deadline: first.deadline,
          excessSeconds: Math.round(driftOf(lock, first, now) / 1000),
          version: clientVersion,
        },
      },
    ];
  },
};
