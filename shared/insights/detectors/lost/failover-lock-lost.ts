import { OBSERVE_LEVELS } from '../../../base/observe-level.ts';
import { clientOf } from '../../../events/names/names.ts';
import { stillBelieves } from '../../../state/believer-rules.ts';
import type { LockDetector } from '../../detector.ts';

/**
 * A holder lost its lock in a failover or a restart, and its thread goes on as if it held it. If another thread holds the
 * lock now, two work at the same time. A holder whose client is gone does no harm.
 */
export const failoverLockLost: LockDetector<'failover-lock-lost'> = {
  incident: 'failover-lock-lost',
  of: 'lock',
  needs: ['keys', 'server'],
  withoutCommands: 'same',
  levels: OBSERVE_LEVELS,
  concerns: ({ believers }) => believers.length > 0,
  detect({ lock, lockId, now, clientOf: sightOf }) {
    const holder = lock.holders[0]?.id ?? null;
    return lock.believers
      .filter((believer) => stillBelieves(believer, now) && sightOf(clientOf(believer.id)).presence !== 'gone')
      .map(({ id, lostAt, until, lostSeq }) => ({
        incident: 'failover-lock-lost',
        severity: holder === null ? 'warning' : 'critical',
        confidence: 'certain',
        lockId,
        holders: holder === null ? [id] : [id, holder],
        from: lostAt,
        to: null,
        selfHealsAt: until,
        events: lostSeq === undefined ? [] : [lostSeq],
        values: { holder: id, lostAt, endsAt: until, heldBy: holder },
      }));
  },
};
