import { type Millis, plusMillis } from '../../../base/time.ts';
import type { LockDetector } from '../../detector.ts';

/** If no script has shown for this long that a client's clock is ahead, the clock may be right by now. */
const WITHIN: Millis = 10 * 60_000;

/**
 * The clock of a client is ahead of Redis's. Clients set and check the deadlines of a fair lock's queue by their own
 * clocks, so this client evicts waiters too early. A clock that is behind evicts no waiter early. One finding for each
 * client.
 */
export const fairClockSkew: LockDetector<'fair-clock-skew'> = {
  incident: 'fair-clock-skew',
  effect: 'other',
  of: 'lock',
  withoutCommands: 'nothing',
  levels: ['monitor'],
  concerns: ({ notes }) => notes?.aheads !== undefined,
  detect({ lock, lockId, hasCome }) {
    const recent = (lock.notes?.aheads ?? []).filter(({ lastAt }) => !hasCome(plusMillis(lastAt, WITHIN)));
    return recent.map(({ by, holder, aheadMs, since, seq, evicted, victim }) => ({
      incident: 'fair-clock-skew',
      severity: evicted > 0 ? 'warning' : 'hint',
      confidence: 'certain',
      lockId,
      holders: holder === null ? [] : [holder],
      from: since,
      to: null,
      selfHealsAt: null,
      events: [seq],
      values: { holder, by, aheadSeconds: Math.round(aheadMs / 1000), evicted, victim },
    }));
  },
};
