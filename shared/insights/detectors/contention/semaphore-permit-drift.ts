import type { RedisTime } from '../../../base/time.ts';
import { KINDS } from '../../../events/kinds/kinds.ts';
import { type HolderState, type LockState, waitingFor } from '../../../state/lock-state.ts';
import type { LockDetector, LockSight } from '../../detector.ts';
import type { FindingOf, UnseenReason } from '../../insight.ts';

type Incident = 'semaphore-permit-drift';

/**
 * A semaphore without permit ids is one number in Redis. The number stays wrong in two cases:
 *
 * - Clients that are gone had acquired permits. The holder of a permit is inferred (rule M2): a release on another
 *   connection may have been counted for another client, so a lost permit is only a hint.
 * - More permits were released than acquired. A program may add permits on purpose, so a surplus is only likely. A
 *   semaphore that was set to 0 is a signal, whose permits are released before any is acquired: it is left out.
 */
export const semaphorePermitDrift: LockDetector<Incident> = {
  incident: 'semaphore-permit-drift',
  effect: 'other',
  of: 'lock',
  withoutCommands: 'nothing',
  levels: ['monitor'],
  needs: ['presence'],
  concerns: (lock) => isPlainSemaphore(lock) && (lock.holders.length > 0 || lock.raised !== undefined),
  detect(sight) {
    const all = [lostPermits(sight), raisedPermits(sight)];
    const found = all.filter((each): each is FindingOf<Incident> => each !== null && typeof each !== 'string');
    return found.length > 0 ? found : (all.find((each) => typeof each === 'string') ?? []);
  },
};

/** Whether a hold consists of permits that have no ids. */
export function isUnnamedPermit(lock: LockState, { mode }: HolderState): boolean {
  return mode === 'permit' && isPlainSemaphore(lock);
}

function isPlainSemaphore({ kind }: LockState): boolean {
  return KINDS[kind].counts === 'permit' && !KINDS[kind].hasPermitIds;
}

/** The finding about permits of clients that are gone, or why there may be some; null: there are none. */
function lostPermits({ lock, lockId, clientOf }: LockSight): FindingOf<Incident> | UnseenReason | null {
  const lost: { readonly holder: HolderState; readonly goneSince: RedisTime }[] = [];
  let isUnknown = false;
  for (const holder of lock.holders) {
    const { presence, goneSince } = holder.uuid === undefined ? UNKNOWN : clientOf(holder.uuid);
    if (presence === 'gone' && goneSince !== null) lost.push({ holder, goneSince });
    isUnknown ||= presence === 'unknown';
  }
  const [first] = lost.sort((a, b) => a.goneSince - b.goneSince);
  if (!first) return isUnknown ? 'presence' : null;
  const permits = lost.reduce((sum, { holder }) => sum + (holder.holdCount ?? 1), 0);
  return {
    ...findingAbout(lock, lockId, first.goneSince),
    severity: 'hint',
    confidence: 'hint',
    holders: lost.map(({ holder }) => holder.id).slice(0, MOST_NAMED),
    events: lost.flatMap(({ holder }) => holder.firstSeq ?? []).slice(0, 20),
    values: {
      ...{ isLoss: true, holder: first.holder.id, since: first.goneSince, permits },
      ...{ total: lock.permits?.total ?? null, available: lock.permits?.available ?? null, waiting: waitingFor(lock) },
    },
  };
}

const MOST_NAMED = 100;
const UNKNOWN = { presence: 'unknown', goneSince: null } as const;

/**
 * The finding about permits that were released without having been acquired, or why there may be some; null: there are
 * none.
 */
function raisedPermits({ lock, lockId, watched }: LockSight): FindingOf<Incident> | UnseenReason | null {
  const { raised, totalSetAt } = lock;
  if (!raised || raised.before === 0) return null;
  if (totalSetAt === undefined || totalSetAt < watched.watchedSince) return 'blind-spot'; // others may have added permits
  return {
    ...findingAbout(lock, lockId, raised.since),
    confidence: 'likely',
    holders: raised.by === null ? [] : [raised.by],
    events: [raised.seq],
    values: {
      ...{ isLoss: false, holder: raised.by, since: raised.since, permits: raised.permits },
      ...{ total: raised.before, available: lock.permits?.available ?? null, waiting: waitingFor(lock) },
    },
  };
}

function findingAbout(lock: LockState, lockId: string, from: RedisTime) {
  const severity = lock.permits?.available === 0 && waitingFor(lock) > 0 ? 'critical' : 'warning';
  return { incident: 'semaphore-permit-drift', severity, lockId, from, to: null, selfHealsAt: null } as const;
}
