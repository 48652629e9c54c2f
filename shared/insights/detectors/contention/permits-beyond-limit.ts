import { plusMillis } from '../../../base/time.ts';
import { type LockDetector, SHOWN_AFTER_MS } from '../../detector.ts';

/**
 * More permits of a semaphore are out than exist.
 *
 * - With Redisson, clients released permits that they had not acquired, and others acquired these. A program may add
 *   permits on purpose in this way, so the finding is only likely.
 * - In a sorted set every client has its own limit. A client that has a permit allows fewer permits than are out. All
 *   of these permits were seen, so the finding is certain.
 */
export const permitsBeyondLimit: LockDetector<'permits-beyond-limit'> = {
  incident: 'permits-beyond-limit',
  effect: 'other',
  of: 'lock',
  withoutCommands: 'nothing',
  levels: ['monitor'],
  concerns: ({ beyond }) => beyond !== undefined,
  detect({ lock, lockId, watched, isPast }) {
    const { beyond, totalSetAt } = lock;
    if (!beyond) return [];
    const { since, to, limit, out, by, seq, isRaised = false } = beyond;
    if (to !== null && isPast(plusMillis(to, SHOWN_AFTER_MS))) return [];
    const from = isRaised ? totalSetAt : since;
    if (from === undefined || from < watched.watchedSince) return 'blind-spot'; // others may have added permits
    return [
      {
        incident: 'permits-beyond-limit',
        severity: 'warning',
        confidence: isRaised ? 'likely' : 'certain',
        lockId,
        holders: by === null ? [] : [by],
        from: since,
        to,
        selfHealsAt: null,
        events: [seq],
        values: { holder: by, since, limit, out, isRaised, isOver: to !== null },
      },
    ];
  },
};
