import { plusMillis } from '../../../base/time.ts';
import { type LockDetector, SHOWN_AFTER_MS } from '../../detector.ts';

type Incident = 'quorum-error-without-cause';

/**
 * A caller of node-redlock failed, and no error names the cause. There are two causes:
 *
 * - All its attempts were refused. That the caller got an error is inferred: it made no further attempt.
 * - The lease had ended when the answer arrived: version 5.0.0-beta.2 counts it from the first attempt. The caller gets
 *   the lock, but cannot extend it. Other versions count it from the last attempt, and their scripts may be the same,
 *   so this cause is only a hint.
 *
 * Locks on several servers are left out, because a refusal of one server is not a failure.
 */
export const quorumError: LockDetector<Incident> = {
  incident: 'quorum-error-without-cause',
  effect: 'other',
  of: 'lock',
  withoutCommands: 'nothing',
  levels: ['monitor'],
  concerns: ({ notes }) => notes?.quorumError !== undefined,
  detect({ lock: { notes }, lockId, watched, isPast }) {
    const error = notes?.quorumError;
    if (!error || isPast(plusMillis(error.at, SHOWN_AFTER_MS))) return [];
    if (error.since < watched.watchedSince) return 'blind-spot';
    const { since, times, at, seq, holder, cause, heldBy, leaseMs, tries, tookMs } = error;
    const isLate = cause === 'late';
    return [
      {
        incident: 'quorum-error-without-cause',
        ...{ severity: 'hint', confidence: isLate ? 'hint' : 'likely' },
        // each call has its own token, so the token of the newest call must not be part of the id
        ...{ lockId, holders: [], from: since, to: at, selfHealsAt: null, events: [seq] },
        values: { cause, holder, heldBy, times, tries, tookMs: Math.round(tookMs), leaseMs },
      },
    ];
  },
};
