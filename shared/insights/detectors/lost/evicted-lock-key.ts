import { KINDS } from '../../../events/kinds/kinds.ts';
import { clientOf } from '../../../events/names/names.ts';
import type { LockDetector } from '../../detector.ts';
import type { FindingOf } from '../../insight.ts';
import { AFTER_A_LOSS, aftermathOf, LOST_WITHIN_MS, losersOf } from './overlap.ts';

type Incident = 'evicted-lock-key';

/**
 * Redis evicted the key of a held lock to free memory. Only a key event shows an eviction: one finding for each event.
 * The waiters are reported by `silent-release`. A holder whose client was gone before lost nothing. If no holder was
 * seen, a thread that was refused before shows that the lock was held.
 */
export const evictedLockKey: LockDetector<Incident> = {
  incident: 'evicted-lock-key',
  effect: 'lost',
  of: 'lock',
  withoutCommands: 'same',
  levels: ['events', 'monitor'],
  needs: ['key-events'],
  wants: { types: ['lock.evicted'], beside: AFTER_A_LOSS, withinMs: LOST_WITHIN_MS },
  detect(sight) {
    const { lock, lockId, events, clientOf: sightOf } = sight;
    const findings: FindingOf<Incident>[] = [];
    for (const event of events) {
      const [holder = null] = losersOf(event);
      // a counter without a holder is evicted whether permits were acquired or not
      if (event.type !== 'lock.evicted' || (holder === null && KINDS[lock.kind].ownKey !== 'hash')) continue;
      const goneSince = holder === null ? null : sightOf(clientOf(holder)).goneSince;
      if (goneSince !== null && goneSince <= event.at) continue;
      const { takenBy, takenAt, noticedAt, seqs } = aftermathOf(event, holder ?? '', events);
      findings.push({
        incident: 'evicted-lock-key',
        severity: takenBy === null ? 'warning' : 'critical',
        confidence: holder === null ? 'likely' : 'certain',
        lockId,
        holders: [holder, takenBy].filter((each) => each !== null),
        from: event.at,
        to: noticedAt,
        selfHealsAt: null,
        events: [event.seq, ...seqs],
        values: { holder, at: event.at, policy: policyOf(sight.server?.evictionPolicy), takenBy, takenAt },
      });
    }
    return findings;
  },
};

/**
 * The policy at the eviction; null: not known. INFO is read only every 2 s. If it reports a policy that evicts nothing,
 * the policy was changed after the eviction.
 */
function policyOf(reported: string | null | undefined): string | null {
  return reported === 'noeviction' ? null : (reported ?? null);
}
