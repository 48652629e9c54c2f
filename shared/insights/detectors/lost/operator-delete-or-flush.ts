import type { DetailOf, LockEvent } from '../../../events/event.ts';
import { isTokenKind, KINDS } from '../../../events/kinds/kinds.ts';
import { clientOf } from '../../../events/names/names.ts';
import type { LockState } from '../../../state/lock-state.ts';
import type { LockDetector } from '../../detector.ts';
import type { FindingOf } from '../../insight.ts';
import { AFTER_A_LOSS, aftermathOf, LOST_WITHIN_MS, losersOf } from './overlap.ts';

type Incident = 'operator-delete-or-flush';

/**
 * A plain command removed a held lock, and no message was published. If a former holder deleted the next holder's lock,
 * `foreign-delete` explains it. The waiters are reported by `silent-release`. To remove the lock of a client that is
 * gone is right, so it is not reported.
 *
 * Without commands, only the deletion and the missing message are seen. All releases of such a lock by Redisson send one.
 */
export const operatorDelete: LockDetector<Incident> = {
  incident: 'operator-delete-or-flush',
  effect: 'lost',
  of: 'lock',
  withoutCommands: 'hint',
  levels: ['monitor', 'replication', 'events'],
  wants: { types: ['lock.deleted', 'db.flushed'], beside: AFTER_A_LOSS, withinMs: LOST_WITHIN_MS },
  detect({ lock, lockId, watched, events, clientOf: sightOf }) {
    const findings: FindingOf<Incident>[] = [];
    for (const event of events) {
      if (event.type !== 'lock.deleted' && event.type !== 'db.flushed') continue;
      const how = byCommand(event) ?? (watched.level === 'monitor' ? undefined : withoutMessage(event, lock));
      const [holder] = losersOf(event);
      if (!how || holder === undefined) continue;
      const { goneSince } = sightOf(clientOf(holder));
      if (goneSince !== null && goneSince <= event.at) continue;
      const { takenBy, takenAt, noticedAt, seqs } = aftermathOf(event, holder, events);
      if (mayBeItsRelease(event, lock) && !events.some((each) => isNoticed(each, event.seq, holder))) continue;
      findings.push({
        incident: 'operator-delete-or-flush',
        severity: takenBy === null || how.command === null ? 'warning' : 'critical',
        confidence: how.command === null ? 'hint' : event.certainty === 'observed' ? 'certain' : 'likely',
        lockId,
        holders: takenBy === null ? [holder] : [holder, takenBy],
        from: event.at,
        to: noticedAt,
        selfHealsAt: null,
        events: [event.seq, ...seqs],
        values: {
          holder,
          at: event.at,
          ...how,
          takenBy,
          takenAt,
          isRedisson: lock.library === 'redisson',
        },
      });
    }
    return findings.length === 0 && watched.level !== 'monitor' ? 'level' : findings;
  },
};

/**
 * An application's own lock may be released by a plain command on any connection, or by another process on purpose: one
 * takes the lock of a job, another deletes it after the job. It shows a loss if holders were seen to release it
 * themselves, or if this one still needed it.
 */
function mayBeItsRelease({ type }: Removal, { kind, library, recentHolds = [] }: LockState): boolean {
  const isOwn = isTokenKind(kind) && (library === null || library === 'unknown');
  return type === 'lock.deleted' && isOwn && recentHolds.length === 0;
}

function isNoticed(event: LockEvent, removed: number, holder: string): boolean {
  return event.type === 'unlock.refused' && event.holder === holder && event.seq > removed;
}

type How = Pick<FindingOf<Incident>['values'], 'command' | 'address'>;
type Removal = LockEvent & DetailOf<'lock.deleted' | 'db.flushed'>;

/** The plain command that removed the lock, whichever it is: RENAME, MOVE and SET take it from its holder like DEL. */
function byCommand({ command, by, late }: Removal): How | undefined {
  if (command === undefined || by === undefined || late !== undefined) return undefined;
  return { command, address: by };
}

/** A key event showed the deletion of a lock whose releases send a message to one channel, and none came. */
function withoutMessage({ type, command }: Removal, { library, kind }: LockState): How | undefined {
  const isOne = type === 'lock.deleted' && command === undefined;
  if (!isOne || library !== 'redisson' || KINDS[kind].wakeUp !== 'channel') return undefined;
  return { command: null, address: null };
}
