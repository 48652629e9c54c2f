import { type Millis, millisBetween } from '../../../base/time.ts';
import { isSameLease } from '../../../events/apply/reads/found-renewal.ts';
import type { LockEvent } from '../../../events/event.ts';
import { clientOf } from '../../../events/names/names.ts';
import type { LockSight } from '../../detector.ts';
import type { FindingOf } from '../../insight.ts';
import { DEFAULT_WATCHDOG_MS } from '../../lease-renewal.ts';
import { stoodStillIn } from '../../standstills.ts';
import { aftermathOf } from './overlap.ts';
import { type Began, type ExpiredHold, expiredHolds, hasComeBack } from './watchdog-hold.ts';

/** Fewer releases show no habit. */
const LEAST_RELEASED = 3;
/** How many holds that ran out are looked at: the newest. */
const MOST_HOLDS = 20;

/**
 * The holds that ran out, unlike others of their lock, as far as key events show. An application may let a lease run
 * out on purpose, for example to do something once a minute. So at least three earlier holds with this lease must have
 * been released, and more must have been released than ran out. The client must also be connected or have come back:
 * its process did not end with the hold.
 *
 *   A ┃████┫ released   B ┃██┫ released   A ┃███┫ released   A ┃████████✕ expired   A ┃… came back
 */
export function outlivedLeases(sight: LockSight): readonly FindingOf<'lease-shorter-than-work'>[] {
  const { lock, lockId, events } = sight;
  if (lock.library !== 'redisson') return [];
  const expired = expiredHolds(events).filter(isUnrenewed);
  return expired.slice(-MOST_HOLDS).flatMap((hold): FindingOf<'lease-shorter-than-work'>[] => {
    const { holder, began, ended } = hold;
    const { leaseMs } = began;
    if (leaseMs === undefined || isOfWatchdog(leaseMs, events) || !isAlive(hold, sight)) return [];
    const released = releasedBefore(hold, leaseMs, events);
    const others = expired.filter((each) => each.began.seq < began.seq && hasLease(each.began, leaseMs));
    if (released < LEAST_RELEASED || released <= others.length || stoodStillIn(sight, began.at, ended.at)) return [];
    const { takenBy, takenAt, noticedAt, seqs } = aftermathOf(ended, holder, events);
    const isTaken = takenAt !== null && millisBetween(ended.at, takenAt) <= leaseMs;
    const endedAt = ended.expiresAt ?? ended.at;
    return [
      {
        incident: 'lease-shorter-than-work',
        severity: isTaken ? 'warning' : 'hint',
        confidence: 'hint',
        lockId,
        holders: isTaken && takenBy !== null ? [holder, takenBy] : [holder],
        from: endedAt,
        to: noticedAt,
        selfHealsAt: null,
        events: [began.seq, ended.seq, ...seqs],
        values: {
          ...{ holder, leaseMs, endedAt, unlockedAt: null, heldMs: null, releasedBefore: released },
          ...{ renewedAt: null, isRenewal: false },
          ...{
            takenBy: isTaken ? takenBy : null,
            takenAt: isTaken ? takenAt : null,
            isRedisson: true,
            isWatchdogKnown: true,
            isPermit: false,
          },
        },
      },
    ];
  });
}

/** Whether a hold was not renewed, and its lease was not moved. Readers move the end of each other's leases. */
function isUnrenewed({ began, ended, renewals }: ExpiredHold): boolean {
  if (began.mode === 'read' || ended.certainty !== 'observed' || renewals.length > 0) return false;
  return ended.expiresAt === began.expiresAt;
}

/** Whether a watchdog sets such a lease, so that it may have failed. */
function isOfWatchdog(leaseMs: Millis, events: readonly LockEvent[]): boolean {
  const isRenewal = (event: LockEvent) => event.type === 'lease.renewed' && hasLease(event, leaseMs);
  return isSameLease(leaseMs, DEFAULT_WATCHDOG_MS) || events.some(isRenewal);
}

function isAlive(hold: ExpiredHold, { events, clientOf: sightOf }: LockSight): boolean {
  const { presence } = sightOf(clientOf(hold.holder));
  return presence === 'connected' || presence === 'idle' || hasComeBack(hold, events);
}

/** How many earlier holds with a lease of this length were released before the lease ended. */
function releasedBefore({ began }: ExpiredHold, leaseMs: Millis, events: readonly LockEvent[]): number {
  const isSuchHold = (event: LockEvent) => event.type === 'lock.acquired' && hasLease(event, leaseMs);
  const earlier = events.filter((event) => event.seq < began.seq && isSuchHold(event));
  return earlier.filter((acquired) => {
    const end = events.find(
      (event) =>
        event.seq > acquired.seq &&
        (event.type === 'lock.released' || event.type === 'lease.expired') &&
        event.holder === ('holder' in acquired ? acquired.holder : undefined),
    );
    return end?.type === 'lock.released' && end.how === undefined;
  }).length;
}

function hasLease(event: LockEvent | Began, leaseMs: Millis): boolean {
  return 'leaseMs' in event && event.leaseMs !== undefined && isSameLease(event.leaseMs, leaseMs);
}
