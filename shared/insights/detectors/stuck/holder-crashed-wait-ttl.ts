import { OBSERVE_LEVELS } from '../../../base/observe-level.ts';
import { millisBetween, type RedisTime, redisTime } from '../../../base/time.ts';
import { isTokenKind } from '../../../events/kinds/kinds.ts';
import { clientOf } from '../../../events/names/names.ts';
import { endsByItself, holdEnd, isShared } from '../../../state/hold-end.ts';
import { type HolderState, type LockState, waitingFor } from '../../../state/lock-state.ts';
import { clientOfHold } from '../../client-sight.ts';
import type { LockDetector, LockSight } from '../../detector.ts';
import type { FindingOf } from '../../insight.ts';
import { orphanedFrom } from '../../renewals.ts';
import { isUnnamedPermit } from '../contention/semaphore-permit-drift.ts';
import { hasNoEnd } from './no-ttl-lock.ts';
import { isJobLease } from './orphan-job-lock.ts';
import { isKeptByOther } from './rwlock-zombie-reader.ts';

type Incident = 'holder-crashed-wait-ttl';

/** How many holders a finding names. */
const MOST_NAMED = 100;

/**
 * The client of a holder has no connection left, so no client releases or renews the hold: the hold blocks others until
 * it ends by itself. One finding for each client of a lock. Left out are:
 *
 * - a lock without a lease (`no-ttl-lock`)
 * - a lease of an hour or more (`orphan-job-lock`)
 * - a reader that another client keeps (`rwlock-zombie-reader`)
 * - permits without ids (`semaphore-permit-drift`)
 */
export const holderCrashed: LockDetector<Incident> = {
  incident: 'holder-crashed-wait-ttl',
  effect: 'orphaned',
  of: 'lock',
  withoutCommands: 'same',
  levels: OBSERVE_LEVELS,
  needs: ['presence'],
  concerns: (lock) => lock.holders.length > 0 && !hasNoEnd(lock),
  detect(sight) {
    const { lock } = sight;
    const gone = new Map<string, HolderState[]>();
    let isUnknown = false;
    for (const holder of lock.holders) {
      if (isJobLease(lock, holder) || isKeptByOther(holder) || isOverAsReader(sight, holder)) continue;
      if (isUnnamedPermit(lock, holder)) continue;
      const client = clientOfHold(holder, sight.clientOf);
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
  const ends = holders.map((holder) => endsByItself(lock, holder));
  const endsAt = ends.some((end) => end === null) ? null : redisTime(Math.max(...ends.map(Number)));
  const [first] = holders;
  return {
    incident: 'holder-crashed-wait-ttl',
    severity: 'warning',
    // a semaphore shows only the name or address of a connection
    confidence: first?.mode === 'permit' ? 'likely' : 'certain',
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
      leftMs: endsAt === null ? null : millisBetween(now, endsAt),
      neverEnds: endsAt === null && (first?.mode === 'permit' || lock.neverEnds),
      isPermit: first?.mode === 'permit',
      isReader: first?.mode === 'read',
      isShared: first?.mode === 'read' && isShared(lock, first),
      waiting: waitingFor(lock),
    },
  };
}

/**
 * Whether the timeout keys of a reader are gone, and other holders are listed: the field of the reader is still in the
 * hash, but no longer blocks a writer.
 */
function isOverAsReader({ lock, hasCome }: LockSight, holder: HolderState): boolean {
  const endsAt = holdEnd(lock, holder);
  return holder.mode === 'read' && lock.holders.length > 1 && endsAt !== null && hasCome(endsAt);
}

/** The same instant from which the timeline draws the hold as orphaned. */
function beginningOf(lock: LockState, holder: HolderState, now: RedisTime, goneSince: RedisTime | null): RedisTime {
  const since = holder.since ?? holder.firstAt ?? goneSince ?? now;
  const gone = redisTime(Math.max(goneSince ?? since, since));
  const { id, renewals } = holder;
  const leaseSetAt = isTokenKind(lock.kind) ? null : holder.leaseSetAt; // a token has no fixed pace of renewals
  const range = { holder: id, from: since, to: null, ended: null, leaseSetAt, leaseMs: lock.leaseMs, renewals };
  return orphanedFrom(range, now, new Map([[clientOf(id), gone]])) ?? gone;
}
