import { clientOf } from '../../../events/names/names.ts';
import type { LockDetector } from '../../detector.ts';
import type { FindingOf } from '../../insight.ts';
import { AFTER_A_LOSS, aftermathOf, LOST_WITHIN_MS, losersOf } from './overlap.ts';

type Incident = 'operator-delete-or-flush';

/** Plain commands that remove a lock by hand. */
const BY_HAND: ReadonlySet<string> = new Set(['DEL', 'UNLINK', 'FLUSHDB', 'FLUSHALL']);

/**
 * A plain command removed a held lock, and no message was published. If a former holder deleted the next holder's lock,
 * `foreign-delete` explains it. The waiters are reported by `silent-release`. To remove the lock of a client that is
 * gone is right, so it is not reported.
 */
export const operatorDelete: LockDetector<Incident> = {
  incident: 'operator-delete-or-flush',
  of: 'lock',
  needs: ['commands'],
  withoutCommands: 'nothing',
  levels: ['monitor'],
  wants: { types: ['lock.deleted', 'db.flushed'], beside: AFTER_A_LOSS, withinMs: LOST_WITHIN_MS },
  detect({ lock, lockId, events, clientOf: sightOf }) {
    const findings: FindingOf<Incident>[] = [];
    for (const event of events) {
      if (event.type !== 'lock.deleted' && event.type !== 'db.flushed') continue;
      const { command, by } = event;
      const [holder] = losersOf(event);
      if (command === undefined || by === undefined || holder === undefined) continue;
      if (!BY_HAND.has(command) || event.late !== undefined) continue;
      const { goneSince } = sightOf(clientOf(holder));
      if (goneSince !== null && goneSince <= event.at) continue;
      const { takenBy, takenAt, noticedAt, seqs } = aftermathOf(event, holder, events);
      findings.push({
        incident: 'operator-delete-or-flush',
        severity: takenBy === null ? 'warning' : 'critical',
        confidence: event.certainty === 'observed' ? 'certain' : 'likely',
        lockId,
        holders: takenBy === null ? [holder] : [holder, takenBy],
        from: event.at,
        to: noticedAt,
        selfHealsAt: null,
        events: [event.seq, ...seqs],
        values: {
          holder,
          at: event.at,
          command,
          address: by,
          takenBy,
          takenAt,
          isRedisson: lock.library === 'redisson',
        },
      });
    }
    return findings;
  },
};
