import { type Millis, millisBetween } from '../../../base/time.ts';
import { isTokenKind } from '../../../events/kinds/kinds.ts';
import { clientOf } from '../../../events/names/names.ts';
import { type HolderState, type LockState, waitingFor } from '../../../state/lock-state.ts';
import type { LockDetector, LockSight, Verdict } from '../../detector.ts';
import type { FindingOf } from '../../insight.ts';
import { stoodStillIn } from '../../standstills.ts';
import { type ForcedHold, forcedHolds, lateStartOf, longFrom } from './zombie-signs.ts';

type Incident = 'zombie-renewal';

/** This number of renewals of one hold is unusual for a lock whose holds are hardly ever renewed. */
const MANY_RENEWALS = 9;
/** Fewer renewals do not count as a sign. */
const FEW_RENEWALS = 5;
/** How long the lock is usually held is known from this number of earlier holds on. */
const ENOUGH_HOLDS = 5;
/** For how long a force-unlock is looked at. */
const WITHIN: Millis = 10 * 60_000;

/**
 * A watchdog renews a hold although its thread may have ended its work: nothing in Redis shows whether it has. A lock
 * with a token may be renewed by its own thread, so it is not looked at. Three signs:
 *
 * - The holds of this lock are usually over before their first renewal, and this one is renewed again and again. A lock
 *   that is always held for long, such as a leader's, is not reported.
 * - The watchdog began late, so the answer to the acquisition came late. A thread that was interrupted meanwhile does
 *   not know that it holds the lock. A client that was paused just then looks the same.
 * - Another client force-unlocked the lock, the watchdog tried to renew it after that, and the thread has not tried to
 *   unlock it.
 */
export const zombieRenewal: LockDetector<Incident> = {
  incident: 'zombie-renewal',
  effect: 'stuck',
  of: 'lock',
  withoutCommands: 'hint',
  levels: ['monitor', 'replication', 'events'],
  concerns: ({ totals, kind }) => totals.renewals >= FEW_RENEWALS && !isTokenKind(kind),
  wants: {
    types: ['lock.force-released', 'server.stood-still'],
    beside: ['lock.acquired', 'lock.reentered', 'lease.renewed', 'renewal.refused', 'unlock.refused', 'lock.refused'],
    withinMs: WITHIN,
  },
  detect(sight) {
    const forced = sight.watched.level === 'monitor' ? forcedHolds(sight.events).flatMap(forcedIn(sight)) : [];
    const held = verdictOnHolder(sight);
    return typeof held === 'string' ? (forced.length > 0 ? forced : held) : [...forced, ...held];
  },
};

function verdictOnHolder(sight: LockSight): Verdict<Incident> {
  const { lock, lockId, watched, clientOf: sightOf } = sight;
  const [holder] = lock.holders;
  if (!holder || holder.since === null || lock.holders.length > 1 || isShared(holder)) return [];
  const { since } = holder;
  const before = lock.totals.acquisitions - 1;
  const start = watched.level === 'monitor' ? lateStartOf(lock, holder) : null;
  const late = start !== null && !stoodStill(sight, holder) ? start : null;
  const isUnusuallyLong = isUnusual(lock, holder);
  if (!isUnusuallyLong && late === null) return [];
  if (watched.watchedSince > since) return 'blind-spot';
  if (sightOf(clientOf(holder.id)).presence === 'gone' || !sight.hasCome(longFrom(since, lock.leaseMs ?? 0))) return [];
  return [
    {
      incident: 'zombie-renewal',
      severity: 'hint',
      confidence: isUnusuallyLong && watched.level === 'monitor' && waitingFor(lock) > 0 ? 'likely' : 'hint',
      lockId,
      holders: [holder.id],
      from: since,
      to: null,
      selfHealsAt: null,
      events: holder.firstSeq === undefined ? [] : [holder.firstSeq],
      values: {
        ...{ holder: holder.id, since, renewals: holder.renewals, before, forcedAt: null },
        heldMs: millisBetween(since, sight.now),
        renewalsBefore: lock.totals.renewals - holder.renewals,
        lateMs: isUnusuallyLong ? null : late,
        waiting: waitingFor(lock),
      },
    },
  ];
}

function forcedIn({ lockId }: LockSight): (hold: ForcedHold) => FindingOf<Incident>[] {
  return ({ holder, since, isAtLeast, leaseMs, renewals, forced, refused }) => {
    if (renewals < FEW_RENEWALS || forced.at < longFrom(since, leaseMs)) return [];
    return [
      {
        incident: 'zombie-renewal',
        severity: 'hint',
        confidence: 'hint',
        lockId,
        holders: [holder],
        from: since,
        ...(isAtLeast ? { isAtLeast } : undefined),
        to: forced.at,
        selfHealsAt: null,
        events: [forced.seq, refused.seq],
        values: {
          ...{ holder, since, renewals, before: 0, renewalsBefore: 0, lateMs: null, waiting: 0 },
          ...{ heldMs: millisBetween(since, forced.at), forcedAt: forced.at },
        },
      },
    ];
  };
}

/** Whether a hold allows other holders beside it: that of a reader, or of a permit. */
function isShared({ mode }: HolderState): boolean {
  return mode === 'read' || mode === 'permit';
}

/** Whether this hold is renewed often, and the holds before it were hardly ever renewed. */
function isUnusual({ totals }: LockState, { renewals }: HolderState): boolean {
  const before = totals.acquisitions - 1;
  return renewals >= MANY_RENEWALS && before >= ENOUGH_HOLDS && (totals.renewals - renewals) * 20 <= before;
}

/** Whether Redis did not answer at some time before the first renewal: then that explains why the renewal was late. */
function stoodStill(sight: LockSight, { since, firstRenewedAt }: HolderState): boolean {
  return since !== null && firstRenewedAt !== undefined && stoodStillIn(sight, since, firstRenewedAt);
}
