import type { LockEvent } from '../../../events/event.ts';
import type { LockDetector } from '../../detector.ts';
import type { FindingOf } from '../../insight.ts';
import { AFTER_A_LOSS, aftermathOf, LOST_WITHIN_MS, losersOf } from './overlap.ts';

type Incident = 'foreign-delete';

/**
 * A client released a lock without a comparison of the token, after its own hold had ended: it removed the hold of the
 * next holder. The finding is certain if both the end of that client's own hold and the client that sent the command
 * were seen. If only the connection shows which client it was, the finding is likely, because clients may share a pool
 * of connections.
 */
export const foreignDelete: LockDetector<Incident> = {
  incident: 'foreign-delete',
  effect: 'lost',
  of: 'lock',
  withoutCommands: 'nothing',
  levels: ['monitor'],
  wants: { types: ['lock.deleted'], beside: [...AFTER_A_LOSS, 'lease.expired'], withinMs: LOST_WITHIN_MS },
  detect({ lockId, events }) {
    const findings: FindingOf<Incident>[] = [];
    for (const event of events) {
      const [holder] = losersOf(event);
      if (event.type !== 'lock.deleted' || event.late === undefined || holder === undefined) continue;
      if (event.command !== 'DEL' && event.command !== 'UNLINK') continue;
      const { late } = event;
      const expired = expiryOf(late, event, events);
      const { takenBy, takenAt, noticedAt, seqs } = aftermathOf(event, holder, events);
      findings.push({
        incident: 'foreign-delete',
        severity: 'critical',
        confidence: expired && event.certainty === 'observed' ? 'certain' : 'likely',
        lockId,
        holders: [holder, late],
        from: event.at,
        to: noticedAt,
        selfHealsAt: null,
        events: [...(expired ? [expired.seq] : []), event.seq, ...seqs],
        values: { holder, at: event.at, late, expiredAt: expired?.at ?? null, takenBy, takenAt },
      });
    }
    return findings;
  },
};

/** The expiry of the hold that the deleting client had before. */
function expiryOf(late: string, { seq }: LockEvent, events: readonly LockEvent[]): LockEvent | undefined {
  return events.findLast((event) => event.type === 'lease.expired' && event.holder === late && event.seq < seq);
}
