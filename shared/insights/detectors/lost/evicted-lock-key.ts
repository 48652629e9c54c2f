import { clientOf } from '../../../events/names/names.ts';
import type { LockDetector } from '../../detector.ts';
import type { FindingOf } from '../../insight.ts';
import { AFTER_A_LOSS, aftermathOf, LOST_WITHIN_MS, losersOf } from './overlap.ts';

type Incident = 'evicted-lock-key';

/**
 * Redis evicted the key of a held lock to free memory. Only a key event shows it: one finding for each event. The waiters are
 * reported by `silent-release`. A holder whose client was gone before lost nothing.
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
    const { lockId, events, clientOf: sightOf } = sight;
    const findings: FindingOf<Incident>[] = [];
    for (const event of events) {
      const [holder] = losersOf(event);
      if (event.type !== 'lock.evicted' || holder === undefined) continue;
      const { goneSince } = sightOf(clientOf(holder));
      if (goneSince !== null && goneSince <= event.at) continue;
      const { takenBy, takenAt, noticedAt, seqs } = aftermathOf(event, holder, events);
      findings.push({
        incident: 'evicted-lock-key',
        severity: takenBy === null ? 'warning' : 'critical',
        confidence: 'certain',
        lockId,
        holders: takenBy === null ? [holder] : [holder, takenBy],
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

/** INFO is read every 2 s: a policy that evicts nothing was another one at the eviction. */
function policyOf(reported: string | null | undefined): string | null {
  return reported === 'noeviction' ? null : (reported ?? null);
}
