import { OBSERVE_LEVELS } from '../../base/observe-level.ts';
import { type RedisTime, redisTime } from '../../base/time.ts';
import { clientOf } from '../../events/names/names.ts';
import { holdEnd } from '../../state/hold-end.ts';
import { type HolderState, type LockState, waitingFor } from '../../state/lock-state.ts';
import type { LockDetector, LockSight } from '../detector.ts';
import type { FindingOf } from '../insight.ts';
import { orphanedFrom } from '../renewals.ts';

type Incident = 'holder-crashed-wait-ttl';

/** How many holders a finding names. */
const MOST_NAMED = 100;

/**
 * The client of a holder has no connection left, so no client releases or renews the hold: it blocks until the lease ends.
 * One finding for each client of a lock.
 */
export const holderCrashed: LockDetector<Incident> = {
  incident: 'holder-crashed-wait-ttl',
  of: 'lock',
  levels: OBSERVE_LEVELS,
  concerns: ({ holders }) => holders.length > 0,
  detect(sight) {
    const { lock } = sight;
    const gone = new Map<string, HolderState[]>();
    let isUnknown = false;
    for (const holder of lock.holders) {
      const client = holder.client ?? clientOf(holder.id);
      const { presence } = sight.clientOf(client);
      if (presence === 'gone') gone.set(client, [...(gone.get(client) ?? []), holder].slice(0, MOST_NAMED));
      else if (presence === 'unknown') isUnknown = true;
    }
    if (gone.size === 0) return isUnknown ? 'presence' : [];
    return [...gone].map(([client, holders]) => findingOf(sight, client, holders));
  },
};

function findingOf(sight: LockSight, client: string, holders: readonly HolderState[]): FindingOf<Incident> {
  const { lock, lockId, now } = sight;
  const { goneSince } = sight.clientOf(client);
  const ends = holders.map((holder) => holdEnd(lock, holder));
  const endsAt = ends.some((end) => end === null) ? null : redisTime(Math.max(...ends.map(Number)));
  const [first] = holders;
  return {
    incident: 'holder-crashed-wait-ttl',
    severity: 'warning',
    confidence: 'certain',
    lockId,
    holders: holders.map(({ id }) => id),
    from: first ? beginningOf(lock, first, now, goneSince) : now,
    to: null,
    selfHealsAt: endsAt,
    events: holders.flatMap(({ firstSeq }) => firstSeq ?? []),
    values: {
      holder: first?.id ?? client,
      goneSince,
      endsAt,
      neverEnds: endsAt === null && (first?.mode === 'permit' || lock.neverEnds),
      isPermit: first?.mode === 'permit',
      waiting: waitingFor(lock),
    },
  };
}

/** The same instant from which the timeline draws the hold as orphaned. */
function beginningOf(lock: LockState, holder: HolderState, now: RedisTime, goneSince: RedisTime | null): RedisTime {
  const since = holder.since ?? holder.firstAt ?? goneSince ?? now;
  const gone = redisTime(Math.max(goneSince ?? since, since));
  const { id, leaseSetAt, renewals } = holder;
  const stretch = { holder: id, from: since, to: null, ended: null, leaseSetAt, leaseMs: lock.leaseMs, renewals };
  return orphanedFrom(stretch, now, new Map([[clientOf(id), gone]])) ?? gone;
}
