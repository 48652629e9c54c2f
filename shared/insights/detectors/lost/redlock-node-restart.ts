import { OBSERVE_LEVELS } from '../../../base/observe-level.ts';
import type { DetailOf, LockEvent } from '../../../events/event.ts';
import { clientOf } from '../../../events/names/names.ts';
import { type LockState, nameInId } from '../../../state/lock-state.ts';
import type { WorldDetector } from '../../detector.ts';
import type { FindingOf } from '../../insight.ts';
import { LOST_WITHIN_MS } from './overlap.ts';
import { isOneName } from './redlock-members.ts';

type Incident = 'redlock-node-restart';
type Lost = LockEvent & DetailOf<'lock.lost'>;

/**
 * One RedLock: the servers that have it, and those that lost it. `isUnsure`: for at least one server, it is not certain
 * whether the RedLock is held there.
 */
type Members = {
  readonly held: Map<string, { readonly holder: string; readonly isGone: boolean }>;
  readonly lost: Map<string, Lost>;
  isUnsure: boolean;
};

/**
 * A RedLock is on half of its servers or fewer, because the others lost it in a restart or a failover. Renewals only
 * extend keys that exist, so no server gets it back, and another client can get a majority.
 *
 *   redis-1   A ███ restart · · ·  B ███
 *   redis-2   A ███████ restart ·  B ███
 *   redis-3   A ████████████████████████     1 of 3 left
 *
 * That locks of several servers belong together is inferred, and a server that is not watched may have the lock too, so
 * the finding is only likely. If no server has the lock, its holder may have released it meanwhile:
 * `failover-lock-lost` reports such a loss.
 */
export const redlockNodeRestart: WorldDetector<Incident> = {
  incident: 'redlock-node-restart',
  effect: 'lost',
  of: 'world',
  withoutCommands: 'same',
  levels: OBSERVE_LEVELS.filter((level) => level !== 'snapshot'),
  wants: { types: ['lock.lost'], beside: ['lock.acquired', 'unlock.refused'], withinMs: LOST_WITHIN_MS },
  begins: (_, events) => events.some(({ type }) => type === 'lock.lost'),
  begin() {
    const groups = new Map<string, Members>();
    const locks: LockState[] = [];
    const membersOf = (group: string) => {
      const known = groups.get(group) ?? { held: new Map(), lost: new Map(), isUnsure: false };
      groups.set(group, known);
      return known;
    };
    const miss = (lock: LockState) => {
      locks.push(lock);
      for (const { group } of lock.holders) if (group !== undefined) membersOf(group).isUnsure = true;
    };
    return {
      miss,
      take(sight) {
        const { lock, lockId, watched, clientOf: sightOf } = sight;
        for (const lost of sight.events) {
          if (lost.type !== 'lock.lost' || lost.group === undefined) continue;
          const members = membersOf(lost.group);
          members.lost.set(lockId, lost);
          if (hasActed(lost, sight.events)) members.isUnsure = true;
        }
        // a hold from before a blind spot may have ended during it
        const isOld = lock.changedAt < watched.watchedSince;
        if (isOld) miss(lock);
        else locks.push(lock);
        for (const { id, group } of lock.holders) {
          const isGone = sightOf(clientOf(id)).presence === 'gone';
          if (group !== undefined) membersOf(group).held.set(lockId, { holder: id, isGone });
        }
        return isOld && lock.holders.some(({ group }) => group !== undefined) ? 'blind-spot' : undefined;
      },
      conclude: () =>
        [...groups.values()]
          .flatMap((members) => findingOf(members, groups) ?? [])
          .filter(({ lockId, values }) => !locks.some((lock) => isLateMember(lock, lockId ?? '', values.holder))),
    };
  },
};

/** Whether the holder tried to unlock the lock after its loss, or acquired it again. */
function hasActed({ holder, seq }: Lost, events: readonly LockEvent[]): boolean {
  return events.some((later) => later.seq > seq && 'holder' in later && later.holder === holder);
}

function findingOf(members: Members, groups: ReadonlyMap<string, Members>): FindingOf<Incident> | undefined {
  const { held, lost, isUnsure } = members;
  const servers = held.size + lost.size;
  const [first] = [...held].sort(([a], [b]) => (a < b ? -1 : 1));
  if (isUnsure || !first || held.size * 2 > servers || !isOneName([...held.keys(), ...lost.keys()])) return undefined;
  if ([...held.values()].some(({ isGone }) => isGone)) return undefined;
  const [lockId, { holder }] = first;
  const losses = [...lost.values()].sort((a, b) => a.at - b.at);
  const last = losses.find((_, n) => (servers - n - 1) * 2 <= servers);
  if (!last) return undefined;
  const heldBy = majorityOf(members, groups);
  return {
    incident: 'redlock-node-restart',
    severity: heldBy === null ? 'warning' : 'critical',
    confidence: 'likely',
    lockId,
    holders: heldBy === null ? [holder] : [holder, heldBy],
    from: last.at,
    to: null,
    selfHealsAt: null,
    events: losses.map(({ seq }) => seq),
    values: { holder, servers, left: held.size, lostAt: last.at, heldBy },
  };
}

/** The thread of another RedLock that has the lock on more than half of the same servers; null: there is none. */
function majorityOf({ held, lost }: Members, groups: ReadonlyMap<string, Members>): string | null {
  for (const other of groups.values()) {
    const own = [...other.held].filter(([lockId]) => lost.has(lockId));
    if (own.length * 2 > held.size + lost.size) return own[0]?.[1].holder ?? null;
  }
  return null;
}

/**
 * Whether the same thread may have the same lock on one more server, which answered too late to be known as a member.
 */
function isLateMember({ name, holders }: LockState, lockId: string, holder: string): boolean {
  if (name !== nameInId(lockId)) return false;
  return holders.some(({ id, group }) => group === undefined && threadOf(id) === threadOf(holder));
}

/** The thread number or the token. Either is the same for the clients of all servers. */
function threadOf(holder: string): string {
  return holder.slice(holder.indexOf(':') + 1);
}
