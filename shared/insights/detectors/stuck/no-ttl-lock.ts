import { OBSERVE_LEVELS } from '../../../base/observe-level.ts';
import { type Millis, plusMillis, type RedisTime } from '../../../base/time.ts';
import { isTokenKind } from '../../../events/kinds/kinds.ts';
import { endInValue } from '../../../events/libraries/end-in-value.ts';
import { clientOf } from '../../../events/names/names.ts';
import { type HolderState, type LockState, waitingFor } from '../../../state/lock-state.ts';
import type { LockDetector, LockSight } from '../../detector.ts';
import type { Severity } from '../../insight.ts';
import { DEFAULT_WATCHDOG_MS } from '../../lease-renewal.ts';

type Incident = 'no-ttl-lock';

/** A lock that is acquired by two commands has no lease between them, for less than this time. */
const BRIEF: Millis = 1000;

/**
 * A held lock has no lease, so it never ends by itself. A watchdog that still renews sets an end again, so its locks
 * are not reported. A lock whose client is gone is reported here and not as `holder-crashed-wait-ttl`.
 */
export const noTtlLock: LockDetector<Incident> = {
  incident: 'no-ttl-lock',
  effect: 'stuck',
  of: 'lock',
  withoutCommands: 'same',
  levels: OBSERVE_LEVELS,
  concerns: hasNoEnd,
  detect({ lock, lockId, hasCome, clientOf: sightOf }) {
    const [holder] = lock.holders;
    if (!holder) return [];
    const { presence, goneSince } = sightOf(holder.client ?? clientOf(holder.id));
    const since = beginOf(holder, lock);
    // if the value names an end, other clients acquire the lock after it
    if (isTokenKind(lock.kind) && endInValue(holder.id, since) !== undefined) return [];
    // a client that is gone sends no second command
    if (presence !== 'gone' && (!hasCome(plusMillis(since, BRIEF)) || isDueAgain(holder, hasCome))) return [];
    return [
      {
        incident: 'no-ttl-lock',
        severity: severityOf(lock, presence === 'gone'),
        confidence: 'certain',
        lockId,
        holders: lock.holders.slice(0, 20).map(({ id }) => id),
        from: since,
        ...(holder.since === null ? { isAtLeast: true } : undefined),
        to: null,
        selfHealsAt: null,
        events: holder.firstSeq === undefined ? [] : [holder.firstSeq],
        values: {
          ...{ holder: holder.id, since: holder.since, goneSince: presence === 'gone' ? goneSince : null },
          isGone: presence === 'gone',
          isRedisson: !isTokenKind(lock.kind),
          waiting: waitingFor(lock),
          listening: waitingFor(lock) > 0 ? 0 : (lock.subscribers ?? 0),
        },
      },
    ];
  },
};

/** Critical if threads wait for a lock whose client is gone: they never get the lock. */
function severityOf(lock: LockState, isGone: boolean): Severity {
  const isWaitedFor = waitingFor(lock) > 0;
  if (isGone) return isWaitedFor ? 'critical' : 'warning';
  return isTokenKind(lock.kind) && !isWaitedFor ? 'hint' : 'warning';
}

/**
 * Whether a lock is held without an end. Left out: permits, which have no end by design or one of their own, and group
 * locks, whose values have ends of their own.
 */
export function hasNoEnd({ neverEnds, holders }: LockState): boolean {
  const [first] = holders;
  return neverEnds && first !== undefined && first.mode !== 'permit' && first.values === undefined;
}

function beginOf({ since, firstAt }: HolderState, lock: LockState): RedisTime {
  return since ?? firstAt ?? lock.changedAt;
}

/** Whether this hold was renewed in the last 30 s: a watchdog sets an end again with its next renewal. */
function isDueAgain({ lastRenewedAt }: HolderState, hasCome: LockSight['hasCome']): boolean {
  return lastRenewedAt !== null && !hasCome(plusMillis(lastRenewedAt, DEFAULT_WATCHDOG_MS));
}
