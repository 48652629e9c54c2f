import { isTokenKind } from '../../../events/kinds/kinds.ts';
import { clientOf } from '../../../events/names/names.ts';
import type { LockDetector } from '../../detector.ts';
import type { FindingOf } from '../../insight.ts';
import { overdueAfter, renewalDueAt } from '../../renewals.ts';
import { isOfPause } from '../../standstills.ts';

type Incident = 'renewal-overdue';

/**
 * A watchdog renewed the lease before, and the next renewal is late, although the client is not known to be gone: its
 * process may stand still, or its renewals are broken. Only locks of Redisson are looked at, because only Redisson is
 * known to renew every third of the lease.
 */
export const renewalOverdue: LockDetector<Incident> = {
  incident: 'renewal-overdue',
  effect: 'other',
  of: 'lock',
  withoutCommands: 'hint',
  levels: ['events', 'replication', 'monitor'],
  concerns: ({ holders, library, kind }) => library === 'redisson' && !isTokenKind(kind) && holders.some(isRenewed),
  detect(sight) {
    const { lock, lockId, watched, hasCome, isPast, clientOf: sightOf } = sight;
    const { leaseMs, expiresAt } = lock;
    const findings: FindingOf<Incident>[] = [];
    if (expiresAt === null || hasCome(expiresAt)) return findings;
    let isBlind = false;
    for (const holder of lock.holders) {
      const { id, leaseSetAt, renewals } = holder;
      const dueAt = renewalDueAt({ leaseSetAt, leaseMs });
      const overdue = overdueAfter({ leaseSetAt, leaseMs });
      if (!isRenewed(holder) || dueAt === null || overdue === null || !isPast(overdue)) continue;
      if (sightOf(clientOf(id)).presence === 'gone') continue;
      if (leaseSetAt !== null && watched.watchedSince > leaseSetAt) {
        isBlind = true;
        continue;
      }
      if (isOfPause(sight, dueAt)) continue;
      findings.push({
        incident: 'renewal-overdue',
        severity: 'warning',
        confidence: watched.level === 'monitor' ? 'likely' : 'hint',
        lockId,
        holders: [id],
        from: dueAt,
        to: null,
        selfHealsAt: null,
        events: holder.firstSeq === undefined ? [] : [holder.firstSeq],
        values: { holder: id, dueAt, endsAt: expiresAt, renewals },
      });
    }
    return findings.length === 0 && isBlind ? 'blind-spot' : findings;
  },
};

function isRenewed({ renewals, mode }: { renewals: number; mode: string }): boolean {
  return renewals > 0 && mode !== 'permit';
}
