import { type Millis, plusMillis, type RedisTime, redisTime } from '../../../base/time.ts';
import { clientOf } from '../../../events/names/names.ts';
import { type HolderState, type LockState, waitingFor } from '../../../state/lock-state.ts';
import type { LockDetector, LockSight } from '../../detector.ts';

type Incident = 'rwlock-zombie-reader';

/** A client may have renewed for up to this long after the instant at which it was last seen. */
const SEEN_LATE: Millis = 10_000;
/** A watchdog's lease, if it is not known. */
const USUAL_LEASE: Millis = 30_000;

/** A renewal is at most this late. */
const RENEWED_WITHIN: Millis = 1000;

/** The client of a reader is gone, and the watchdog of another client keeps its hold alive (Redisson up to 4.3.1). */
export const rwlockZombieReader: LockDetector<Incident> = {
  incident: 'rwlock-zombie-reader',
  effect: 'stuck',
  of: 'lock',
  withoutCommands: 'nothing',
  levels: ['monitor'],
  needs: ['presence'],
  concerns: (lock) => lock.holders.some(isKeptByOther) || hasReadersFromBefore(lock),
  detect(sight) {
    const { lock, lockId, clientOf: sightOf } = sight;
    let isUnknown = false;
    for (const holder of lock.holders) {
      if (!isKeptByOther(holder)) continue;
      const { presence, goneSince } = sightOf(clientOf(holder.id));
      isUnknown ||= presence === 'unknown';
      const keptBy = holder.keptBy ?? '';
      if (presence !== 'gone' || !isKeptAfter(holder, goneSince, lock.leaseMs)) continue;
      const from = goneSince ?? holder.since ?? sight.now;
      return [
        {
          incident: 'rwlock-zombie-reader',
          severity: 'warning',
          confidence: 'certain',
          lockId,
          holders: [holder.id, keptBy],
          from,
          to: null,
          selfHealsAt: lock.holders.some(({ id }) => id === keptBy) ? null : lock.expiresAt,
          events: holder.firstSeq === undefined ? [] : [holder.firstSeq],
          values: { holder: holder.id, goneSince, keptBy, leaseMs: lock.leaseMs, waiting: waitingFor(lock) },
        },
      ];
    }
    if (hasReadersFromBefore(lock) && !isRenewalSeen(sight)) return 'blind-spot';
    return isUnknown ? 'presence' : [];
  },
};

/**
 * Whether readers of several clients hold the lock, at least one of them since before watching began: a client may keep
 * the hold of another one that is gone.
 */
function hasReadersFromBefore({ holders }: LockState): boolean {
  const readers = holders.filter(({ mode }) => mode === 'read');
  return readers.some(({ since }) => since === null) && new Set(readers.map(({ id }) => clientOf(id))).size > 1;
}

/**
 * Whether so much time has passed since watching began that each watchdog must have renewed once. Only a renewal shows
 * the readers whose timeout keys a watchdog moves.
 */
function isRenewalSeen({ lock, watched, hasCome }: LockSight): boolean {
  return hasCome(plusMillis(watched.watchedSince, (lock.leaseMs ?? USUAL_LEASE) / 3 + RENEWED_WITHIN));
}

/** Whether another client's watchdog moved the timeout keys of this reader. */
export function isKeptByOther({ keptBy }: HolderState): boolean {
  return keptBy !== undefined;
}

/**
 * Whether the timeout keys of this reader were moved after its client had gone: they end later than its client could
 * have set them to end.
 */
function isKeptAfter({ timeouts = [] }: HolderState, goneSince: RedisTime | null, leaseMs: Millis | null): boolean {
  if (goneSince === null || leaseMs === null) return false;
  const end = redisTime(Math.max(0, ...timeouts.map((each) => each ?? 0)));
  return end > plusMillis(goneSince, leaseMs + Math.min(SEEN_LATE, leaseMs / 3));
}
