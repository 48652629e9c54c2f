import { type Millis, millisBetween, plusMillis } from '../../../base/time.ts';
import { clientOf } from '../../../events/names/names.ts';
import { type HolderState, type LockState, waitingFor } from '../../../state/lock-state.ts';
import type { LockDetector } from '../../detector.ts';

type Incident = 'zombie-renewal';

/** Renewed at least this often. Some releases renew many times in each third of a lease, so that the time counts as well. */
const MANY_RENEWALS = 9;
const MANY_LEASES = 3;
/** This number of holds before it shows how long the lock is usually held. */
const ENOUGH_HOLDS = 5;
/** Nothing but renewals for this long, at least. */
const QUIET_MS: Millis = 5000;

/**
 * A watchdog renews a hold again and again, although the holds of this lock are usually over before their first renewal:
 * its thread may have ended, or have been interrupted, without an unlock. Nothing in Redis shows whether it still works. A
 * lock that is always held for long, such as a leader's, is not reported.
 */
export const zombieRenewal: LockDetector<Incident> = {
  incident: 'zombie-renewal',
  effect: 'stuck',
  of: 'lock',
  needs: ['commands', 'keys'],
  withoutCommands: 'hint',
  levels: ['monitor', 'replication', 'events'],
  concerns: ({ holders }) => holders.some(({ renewals }) => renewals >= MANY_RENEWALS),
  detect({ lock, lockId, now, watched, clientOf: sightOf }) {
    const [holder] = lock.holders;
    if (!holder || holder.since === null || lock.holders.length > 1 || !isUnusual(lock, holder)) return [];
    if (watched.watchedSince > holder.since) return 'blind-spot';
    const { presence } = sightOf(clientOf(holder.id));
    if (presence === 'gone' || now < plusMillis(holder.since, Math.max(QUIET_MS, MANY_LEASES * (lock.leaseMs ?? 0))))
      return [];
    const before = lock.totals.acquisitions - 1;
    return [
      {
        incident: 'zombie-renewal',
        severity: 'hint',
        confidence: watched.level === 'monitor' && waitingFor(lock) > 0 ? 'likely' : 'hint',
        lockId,
        holders: [holder.id],
        from: holder.since,
        to: null,
        selfHealsAt: null,
        events: holder.firstSeq === undefined ? [] : [holder.firstSeq],
        values: {
          ...{ holder: holder.id, since: holder.since, renewals: holder.renewals, before },
          heldMs: millisBetween(holder.since, now),
          renewalsBefore: lock.totals.renewals - holder.renewals,
          waiting: waitingFor(lock),
        },
      },
    ];
  },
};

/** Whether this hold is renewed often, and the holds before it were hardly ever renewed. */
function isUnusual({ totals }: LockState, { renewals, mode }: HolderState): boolean {
  if (renewals < MANY_RENEWALS || mode === 'read' || mode === 'permit') return false;
  const before = totals.acquisitions - 1;
  return before >= ENOUGH_HOLDS && (totals.renewals - renewals) * 20 <= before;
}
