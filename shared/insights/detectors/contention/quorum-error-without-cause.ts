import { type Millis, plusMillis } from '../../../base/time.ts';
import type { LockDetector } from '../../detector.ts';

type Incident = 'quorum-error-without-cause';

const SHOWN_MS: Millis = 60_000;

/**
 * A caller of node-redlock got an error that names no cause: either all its attempts were refused, or the lease had
 * ended when the answer arrived. Version 5.0.0-beta.2 counts the lease from the first attempt. Other versions count it
 * from the last one, and their scripts may be the same, so this cause is only a hint. That a caller got the error is
 * inferred: it made no further attempt. Locks on several servers are left out, because a refusal of one server is not a
 * failure.
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
    if (!error || isPast(plusMillis(error.at, SHOWN_MS))) return [];
    if (error.since < watched.watchedSince) return 'blind-spot';
    const { since, times, at, seq, holder, cause, heldBy, leaseMs, tries, tookMs } = error;
    const isLate = cause === 'late';
    return [
      {
        incident: 'quorum-error-without-cause',
        ...{ severity: 'hint', confidence: isLate ? 'hint' : 'likely' },
        // Each attempt has its own token, so the holder of the newest is not part of the id.
        ...{ lockId, holders: [], from: since, to: at, selfHealsAt: null, events: [seq] },
        values: { cause, holder, heldBy, times, tries, tookMs: Math.round(tookMs), leaseMs },
      },
    ];
  },
};
