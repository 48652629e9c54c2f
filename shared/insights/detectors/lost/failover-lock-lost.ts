import { OBSERVE_LEVELS } from '../../../base/observe-level.ts';
import { redisTime } from '../../../base/time.ts';
import type { LockEvent } from '../../../events/event.ts';
import { clientOf } from '../../../events/names/names.ts';
import { idOf, type LockState } from '../../../state/lock-state.ts';
import type { LockSight, WorldDetector } from '../../detector.ts';
import type { FindingOf } from '../../insight.ts';
import { aftermathOf, LOST_WITHIN_MS } from './overlap.ts';
import { isOneName } from './redlock-members.ts';

type Incident = 'failover-lock-lost';
type FoundLoss = { readonly finding: FindingOf<Incident>; readonly group: string | undefined };

/** The locks of one group, by id. `unsure`: locks that were held when their servers were last seen. */
type Members = { readonly held: Set<string>; readonly lost: Set<string>; readonly unsure: Set<string> };

/**
 * A holder lost a lock in a failover or a restart, and works on without the lock. If another thread holds the lock now,
 * two threads work at the same time. A holder that attempts the lock again knows of the loss. A holder whose client is
 * gone does no harm. If another thread got the lock in time, the loss is still reported after its end: what both
 * threads wrote may be wrong.
 *
 * A RedLock needs more than half of its servers. While more than half have the lock, a server that lost it does no
 * harm. If a server is not watched, the number is not known, and another thread on this server proves nothing. A loss
 * of more than 15 minutes ago counts only until the lost lease would have ended.
 */
export const failoverLockLost: WorldDetector<Incident> = {
  incident: 'failover-lock-lost',
  effect: 'lost',
  of: 'world',
  withoutCommands: 'same',
  levels: OBSERVE_LEVELS,
  wants: {
    types: ['lock.lost'],
    beside: ['lock.acquired', 'lock.refused', 'unlock.refused'],
    withinMs: LOST_WITHIN_MS,
  },
  begins: ({ believers }, events) => believers.length > 0 || events.some(isLoss),
  begin() {
    const groups = new Map<string, Members>();
    const found: FoundLoss[] = [];
    const membersOf = (group: string) => {
      const known = groups.get(group) ?? { held: new Set(), lost: new Set(), unsure: new Set() };
      groups.set(group, known);
      return known;
    };
    const note = ({ holders }: LockState, id: string, as: 'held' | 'unsure') => {
      for (const { group } of holders) if (group !== undefined) membersOf(group)[as].add(id);
    };
    return {
      miss: (lock) => note(lock, idOf(lock), 'unsure'),
      take(sight) {
        const { lock, lockId, watched, events } = sight;
        // a hold from before a blind spot may have ended in it
        note(lock, lockId, lock.changedAt < watched.watchedSince ? 'unsure' : 'held');
        for (const { group } of [...events.filter(isLoss), ...lock.believers]) {
          if (group !== undefined) membersOf(group).lost.add(lockId);
        }
        found.push(...lossesOf(sight), ...pastLossesOf(sight));
        return undefined;
      },
      conclude: () =>
        found.flatMap(({ finding, group }) => {
          const members = group === undefined ? undefined : groups.get(group);
          const majority = members ? majorityOf(members) : 'none';
          if (majority === 'kept') return [];
          return majority === 'unsure' ? [{ ...finding, severity: 'warning', confidence: 'likely' }] : [finding];
        }),
    };
  },
};

function lossesOf({ lock, lockId, hasCome, clientOf: sightOf }: LockSight): FoundLoss[] {
  const [first] = lock.holders;
  return lock.believers
    .filter(
      (believer) =>
        (believer.until === null || !hasCome(believer.until)) && sightOf(clientOf(believer.id)).presence !== 'gone',
    )
    .map(({ id, mode, lostAt, until, lostSeq, group }) => {
      // readers do no harm to each other
      const holder = first === undefined || (mode === 'read' && first.mode === 'read') ? null : first.id;
      return {
        group,
        finding: {
          incident: 'failover-lock-lost',
          severity: holder === null ? 'warning' : 'critical',
          confidence: 'certain',
          lockId,
          holders: holder === null ? [id] : [id, holder],
          from: lostAt,
          to: null,
          selfHealsAt: until,
          events: lostSeq === undefined ? [] : [lostSeq],
          values: { holder: id, lostAt, endsAt: until, heldBy: holder, isOver: false },
        },
      };
    });
}

/** Losses of holds without a group that have ended, if another thread acquired the lock before their end. */
function pastLossesOf({ lockId, hasCome, events, clientOf: sightOf }: LockSight): FoundLoss[] {
  return events.flatMap((lost): FoundLoss[] => {
    if (lost.type !== 'lock.lost' || lost.group !== undefined) return [];
    const { holder, at: lostAt, seq, expiresAt = null } = lost;
    const { takenBy, takenAt, noticedAt, seqs } = aftermathOf(lost, holder, events);
    const to = redisTime(Math.min(noticedAt ?? Number.POSITIVE_INFINITY, expiresAt ?? Number.POSITIVE_INFINITY));
    if (takenBy === null || takenAt === null || takenAt >= to || !hasCome(to)) return [];
    if (sightOf(clientOf(holder)).presence === 'gone') return [];
    // the unlock shows that the thread thought it held the lock until then, unless it had attempted the lock again
    const isShown = events.some(({ type, at }) => type === 'unlock.refused' && at === to);
    return [
      {
        group: undefined,
        finding: {
          incident: 'failover-lock-lost',
          ...{
            severity: 'critical',
            confidence: isShown ? 'certain' : 'likely',
            lockId,
            holders: [holder, takenBy],
            from: lostAt,
            to,
          },
          ...{ selfHealsAt: null, events: [seq, ...seqs] },
          values: { holder, lostAt, endsAt: to, heldBy: takenBy, isOver: true },
        },
      },
    ];
  });
}

function isLoss({ type }: LockEvent): boolean {
  return type === 'lock.lost';
}

/** Whether most servers of a RedLock still have it. A multi lock needs all of its locks, which have different names. */
function majorityOf({ held, lost, unsure }: Members): 'kept' | 'unsure' | 'none' {
  const all = new Set([...held, ...lost, ...unsure]);
  if (!isOneName([...all])) return 'none';
  if (held.size * 2 > all.size) return 'kept';
  return new Set([...held, ...unsure]).size * 2 > all.size ? 'unsure' : 'none';
}
