import { OBSERVE_LEVELS } from '../../../base/observe-level.ts';
import { plusMillis } from '../../../base/time.ts';
import { tokenKey } from '../../../events/names/names.ts';
import { type LockDetector, SHOWN_AFTER_MS } from '../../detector.ts';

type Incident = 'fencing-token-back';

/**
 * A fenced lock issues tokens that it issued before, because its counter was deleted, set back or lost. No line shows a
 * token: tokens are counted from a read of the counter, so the finding is only likely.
 */
export const fencingTokenBack: LockDetector<Incident> = {
  incident: 'fencing-token-back',
  effect: 'other',
  of: 'lock',
  withoutCommands: 'same',
  levels: OBSERVE_LEVELS,
  concerns: ({ notes }) => notes?.tokenBack?.back !== undefined,
  detect({ lock, lockId, isPast }) {
    const back = lock.notes?.tokenBack?.back;
    if (!back || (back.to !== null && isPast(plusMillis(back.to, SHOWN_AFTER_MS)))) return [];
    const { token, holder, at, seq, before, to } = back;
    return [
      {
        incident: 'fencing-token-back',
        severity: 'warning', // whether anything checks these tokens is not seen in Redis
        confidence: 'likely',
        lockId,
        holders: [holder],
        from: at,
        to,
        selfHealsAt: null,
        events: [before.seq, seq],
        values: {
          ...{ holder, token, highest: before.token, highestHolder: before.holder, highestAt: before.at },
          ...{ counter: tokenKey(lock.name), endedAt: to },
        },
      },
    ];
  },
};
