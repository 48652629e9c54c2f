import { OBSERVE_LEVELS } from '../../../base/observe-level.ts';
import { type Millis, millisBetween, type RedisTime } from '../../../base/time.ts';
import { clientOf } from '../../../events/names/names.ts';
import { holdEnd } from '../../../state/hold-end.ts';
import { type HolderState, type LockState, waitingFor } from '../../../state/lock-state.ts';
import type { LockDetector } from '../../detector.ts';

type Incident = 'orphan-job-lock';

/** A lease of this length or longer guards a job against duplicates, rather than a piece of work against others. */
const JOB_LEASE: Millis = 3_600_000;

/**
 * The client of a holder is gone, and its lease is an hour long or longer. Such a hold is reported here and not as
 * `holder-crashed-wait-ttl`.
 */
export const orphanJobLock: LockDetector<Incident> = {
  incident: 'orphan-job-lock',
  effect: 'orphaned',
  of: 'lock',
  withoutCommands: 'same',
  levels: OBSERVE_LEVELS,
  needs: ['presence'],
  concerns: (lock) => lock.holders.some((holder) => isJobLease(lock, holder)),
  detect(sight) {
    const { lock, lockId, clientOf: sightOf } = sight;
    const holder = lock.holders.find((each) => isJobLease(lock, each));
    const endsAt = holder ? holdEnd(lock, holder) : null;
    if (!holder || endsAt === null) return [];
    const { presence, goneSince } = sightOf(holder.client ?? clientOf(holder.id));
    if (presence === 'unknown') return 'presence';
    if (presence !== 'gone') return [];
    return [
      {
        incident: 'orphan-job-lock',
        severity: 'warning',
        confidence: 'likely',
        lockId,
        holders: [holder.id],
        from: goneSince ?? holder.since ?? sight.now,
        to: null,
        selfHealsAt: endsAt,
        events: holder.firstSeq === undefined ? [] : [holder.firstSeq],
        values: { holder: holder.id, goneSince, since: holder.since, endsAt, waiting: waitingFor(lock) },
      },
    ];
  },
};

/** Whether a hold has a lease of an hour or more, from when it was last set. False for permits and readers. */
export function isJobLease(lock: LockState, holder: HolderState): boolean {
  const endsAt = holdEnd(lock, holder);
  if (endsAt === null || holder.mode === 'permit' || holder.mode === 'read') return false;
  return leaseMsOf(lock, holder, endsAt) >= JOB_LEASE;
}

function leaseMsOf({ leaseMs, changedAt }: LockState, holder: HolderState, endsAt: RedisTime): Millis {
  const setAt = holder.leaseSetAt ?? holder.since ?? holder.firstAt ?? changedAt;
  return Math.max(leaseMs ?? 0, millisBetween(setAt, endsAt));
}
