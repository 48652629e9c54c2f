import { type Millis, plusMillis, type RedisTime, redisTime } from '../../../base/time.ts';
import { rankOf } from '../../../events/libraries/script-versions.ts';
import { clientOf } from '../../../events/names/names.ts';
import type { HolderState, LockState } from '../../../state/lock-state.ts';
import type { LockSight } from '../../detector.ts';
import type { FindingOf } from '../../insight.ts';

/** The releases with this fault. */
const [FIRST, LAST] = [rankOf('3.44.0'), rankOf('3.52.0')];
/** A script sets all timeout keys of a reader within this time, so their ends differ by less. */
const SCRIPT_MS: Millis = 100;

/**
 * The readers of a lock whose watchdog renews the lock, but let one of their own timeout keys expire. Releases 3.44.0
 * to 3.52.0 name the wrong keys, for example if one script renews several locks. (Releases up to 3.11.0 never renew
 * these keys. They are left out.)
 *
 *   catalog                 ┃██▲██▲██▲██▲██
 *   its reader's timeout    ┃██████████ ✕     another reader that unlocks now deletes the lock
 */
export function unrenewedReaders({
  lock,
  lockId,
  watched,
  hasCome,
  clientOf: sightOf,
}: LockSight): FindingOf<'watchdog-batch-failure'>[] {
  if (watched.level !== 'monitor') return [];
  const { leaseMs } = lock;
  if (leaseMs === null || isWithoutKnownFault(lock)) return [];
  return lock.holders.flatMap((holder): FindingOf<'watchdog-batch-failure'>[] => {
    const { id, since, firstRenewedAt } = holder;
    const endedAt = earliestEnd(holder, leaseMs);
    if (endedAt === undefined || !hasCome(endedAt) || since === null || firstRenewedAt === undefined) return [];
    if (watched.watchedSince > since || sightOf(clientOf(id)).presence === 'gone') return [];
    return [
      {
        incident: 'watchdog-batch-failure',
        severity: 'warning',
        confidence: 'certain',
        lockId,
        holders: [id],
        from: endedAt,
        to: null,
        selfHealsAt: null,
        events: holder.firstSeq === undefined ? [] : [holder.firstSeq],
        values: { holder: id, locks: 1, refusals: 0, since, endedAt, takenBy: null, takenAt: null, isReader: true },
      },
    ];
  });
}

/** Whether no release that may have sent the newest known script of the lock has this fault, or none is known. */
function isWithoutKnownFault({ clientVersion }: LockState): boolean {
  const [first = '', last = first] = clientVersion?.split('–') ?? [];
  return first === '' || rankOf(last) < FIRST || rankOf(first) > LAST;
}

/** The earliest end of a reader's timeout keys that its last renewal should have moved, and did not. */
function earliestEnd({ mode, timeouts, lastRenewedAt }: HolderState, leaseMs: Millis): RedisTime | undefined {
  if (mode !== 'read' || lastRenewedAt === null) return undefined;
  const setTo = plusMillis(lastRenewedAt, leaseMs - SCRIPT_MS);
  const left = (timeouts ?? []).filter((end) => end !== null && end < setTo);
  return left.length === 0 ? undefined : redisTime(Math.min(...left.map((end) => end ?? 0)));
}
