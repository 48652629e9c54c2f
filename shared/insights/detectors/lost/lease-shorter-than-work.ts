import { type Millis, millisBetween, plusMillis } from '../../../base/time.ts';
import type { DetailOf, LockEvent } from '../../../events/event.ts';
import { isTokenKind, KINDS } from '../../../events/kinds/kinds.ts';
import type { LockDetector, LockSight } from '../../detector.ts';
import type { Confidence, FindingOf } from '../../insight.ts';
import { DEFAULT_WATCHDOG_MS } from '../../lease-renewal.ts';
import { stoodStillIn } from '../../standstills.ts';
import { cutOf, shortenedBefore } from './cut-lease.ts';
import { outlivedLeases } from './lease-outlived.ts';
import { aftermathOf, hasOtherWatchdog, LOST_WITHIN_MS, lastBefore, mayBeOfLaterTry } from './overlap.ts';
import { outlivedPermits } from './permit-outlived.ts';
import { outlivedTokens } from './token-outlived.ts';
import { type Began, beganBefore } from './watchdog-hold.ts';

type Incident = 'lease-shorter-than-work';

/**
 * For how long a sign counts that a watchdog may have failed. A finding that such a sign can disprove is reported for
 * the rest of `LOST_WITHIN_MS`, so that the sign is always looked at.
 */
const SIGN_WITHIN_MS: Millis = LOST_WITHIN_MS / 2;

/**
 * A lease ran out that was never renewed, and the thread came to unlock only later. The same happens if a watchdog of
 * Redisson fails, so the finding is
 *
 * - certain only if the watchdogs of this lock's clients are known to set another lease;
 * - left out if they set this lease, or if a reason is known for which a watchdog may have failed;
 * - a hint if the lease is as long as the default of the watchdog, or if the hold began before it was seen;
 * - otherwise likely.
 *
 * If the thread was refused the lock before that unlock, the unlock may belong to that attempt, so nothing is reported.
 * The same applies after a blind spot, in which the thread may have attempted.
 *
 * - BullMQ renews by itself, so its losses have another cause: they are left out.
 * - The values of a group lock have leases of their own: they are left out.
 * - A lock with a token has no watchdog: `token-outlived.ts`.
 * - A permit has no watchdog: `permit-outlived.ts`.
 * - Without commands, an unlock that comes too late is not seen: `lease-outlived.ts`.
 */
export const leaseShorterThanWork: LockDetector<Incident> = {
  incident: 'lease-shorter-than-work',
  effect: 'lost',
  of: 'lock',
  withoutCommands: 'hint',
  levels: ['monitor', 'replication', 'events'],
  wants: {
    types: [
      'unlock.refused',
      'permits.released',
      'lease.expired',
      'server.stood-still',
      'server.refused',
      'blind-spot.ended',
    ],
    beside: [
      ...([
        'lock.acquired',
        'lock.found',
        'lock.released',
        'lock.deleted',
        'lease.renewed',
        'lease.shortened',
      ] as const),
      ...(['renewal.refused', 'renewal.not-run', 'renewal.without-holder'] as const),
      ...(['permits.acquired', 'permits.renewed', 'permits.expired'] as const),
    ],
    withinMs: LOST_WITHIN_MS,
  },
  detect(sight) {
    const { lock, lockId, events, watched } = sight;
    if (lock.library === 'bullmq') return [];
    if (watched.level !== 'monitor') {
      const hints = outlivedLeases(sight);
      return hints.length > 0 ? hints : 'level';
    }
    if (isTokenKind(lock.kind)) return outlivedTokens(sight);
    if (KINDS[lock.kind].hasPermitIds) return outlivedPermits(sight);
    const isRedisson = lock.library === 'redisson';
    const findings: FindingOf<Incident>[] = [];
    const seen = new Set<number>();
    for (const refused of events) {
      if (refused.type !== 'unlock.refused' || refused.reason !== 'expired') continue;
      const { holder } = refused;
      const ended = lastBefore(refused, events, (event) => event.type === 'lease.expired' && event.holder === holder);
      // only the first refused unlock belongs to that hold
      if (!ended || seen.has(ended.seq)) continue;
      seen.add(ended.seq);
      if (mayBeOfLaterTry(refused, ended.at, sight)) continue;
      if (cutOf(ended, holder, events, lock)) continue;
      const began = beganBefore(ended, holder, events);
      if (!began) continue;
      const own = shortenedBefore(ended, events); // set by the holder's own client: `cutOf` has excluded all others
      const set = own && own.seq > began.seq ? own : undefined;
      const { leaseMs = null } = set ?? began;
      if (began.values !== undefined || isRenewed(began, refused, events, isRedisson)) continue;
      const isNotOfWatchdog = !isRedisson || (leaseMs !== null && hasOtherWatchdog(leaseMs, events));
      if (!isNotOfWatchdog && mayBeFault(began, refused, sight)) continue;
      const { takenBy, takenAt } = aftermathOf(ended, holder, events);
      const endedAt = ended.type === 'lease.expired' ? (ended.expiresAt ?? ended.at) : ended.at;
      findings.push({
        incident: 'lease-shorter-than-work',
        severity: takenBy === null ? 'warning' : 'critical',
        confidence: isNotOfWatchdog ? (isRedisson ? 'certain' : 'likely') : unsureConfidence(leaseMs),
        lockId,
        holders: takenBy === null ? [holder] : [holder, takenBy],
        from: endedAt,
        to: refused.at,
        selfHealsAt: null,
        events: [began.seq, ended.seq, refused.seq],
        values: {
          ...{ holder, leaseMs, endedAt, unlockedAt: refused.at },
          heldMs: leaseMs === null ? null : millisBetween((set ?? began).at, refused.at),
          ...{
            takenBy,
            takenAt,
            isRedisson,
            releasedBefore: null,
            isWatchdogKnown: isNotOfWatchdog || set !== undefined,
          },
          isPermit: false,
          ...{ renewedAt: set?.at ?? null, isRenewal: false },
        },
      });
    }
    return findings;
  },
};

/** The confidence if a watchdog that failed may have set this lease. */
function unsureConfidence(leaseMs: Millis | null): Confidence {
  return leaseMs === null || leaseMs === DEFAULT_WATCHDOG_MS ? 'hint' : 'likely';
}

/**
 * Whether a watchdog of this lock sets such a lease, or something happened after which a watchdog does not renew, or
 * events that may show it are too old to be looked at.
 */
function mayBeFault({ seq, at, leaseMs }: Began, refused: LockEvent, sight: LockSight): boolean {
  const { events, sourceEvents } = sight;
  const from = plusMillis(refused.at, -SIGN_WITHIN_MS);
  const isOfLock = events.some(
    (event) =>
      event.at >= from &&
      ((event.type === 'lease.renewed' && event.cause === 'watchdog' && event.leaseMs === leaseMs) ||
        (event.type === 'renewal.without-holder' && event.seq < refused.seq) ||
        (event.type === 'lock.deleted' && event.seq < seq)),
  );
  return (
    isOfLock ||
    !sight.goBackTo(from) ||
    stoodStillIn(sight, at, refused.at) ||
    sourceEvents.some(
      (event) => event.type === 'server.refused' && event.at > at && event.since < refused.at && hasFailed(event),
    )
  );
}

/** Whether this hold was renewed, also by a plain command, or its watchdog tried to renew it after its end. */
function isRenewed(began: Began, refused: LockEvent, events: readonly LockEvent[], hasWatchdog: boolean): boolean {
  return events.some(
    (event) =>
      (event.type === 'lease.renewed' ||
        (hasWatchdog && (event.type === 'renewal.refused' || event.type === 'renewal.not-run'))) &&
      (event.holder === began.holder || (event.type === 'lease.renewed' && event.cause === 'command')) &&
      event.seq > began.seq &&
      event.seq < refused.seq,
  );
}

/**
 * Whether commands failed. NOSCRIPT does not count: Redis returns it when a client calls a script for the first time.
 */
function hasFailed({ errors }: DetailOf<'server.refused'>): boolean {
  return Object.keys(errors).some((name) => name !== 'NOSCRIPT');
}
