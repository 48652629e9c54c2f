import { type Millis, plusMillis } from '../../../base/time.ts';
import { isSameLease } from '../../../events/apply/reads/found-renewal.ts';
import type { LockEvent } from '../../../events/event.ts';
import { KINDS } from '../../../events/kinds/kinds.ts';
import { rankOf } from '../../../events/libraries/script-versions.ts';
import { clientOf } from '../../../events/names/names.ts';
import type { LockDetector, LockSight } from '../../detector.ts';
import type { FindingOf } from '../../insight.ts';
import { DEFAULT_WATCHDOG_MS } from '../../lease-renewal.ts';
import { aftermathOf, hasOtherWatchdog, LOST_WITHIN_MS, lastBefore, mayBeOfLaterTry } from './overlap.ts';
import { type Began, type Expired, expiredHolds } from './watchdog-hold.ts';

type Incident = 'read-renewal-lost';
/** The Redisson releases in which a client stops the renewals of a reader when another of its threads releases. */
const [FIRST, LAST] = [rankOf('3.44.0'), rankOf('4.6.1')];
/** A renewal may be this late without a reason. */
const LATE_MS: Millis = 1000;
type IsSame = (a: Millis, b: Millis) => boolean;

/**
 * The client stopped the renewals of a reader when another of its threads released the lock: a thread that had
 * re-entered the read lock in an earlier hold. A client that was paused tries to renew when it goes on, so a refused
 * renewal shows another cause. A lease that is not the watchdog's is reported by `lease-shorter-than-work`. The finding
 * is at most likely, because a lease that the application set to the same length looks the same.
 *
 * Without commands, no unlock is seen. The client must have used this lock when a renewal was due, or later: its
 * process did not end with the hold.
 */
export const readRenewalLost: LockDetector<Incident> = {
  incident: 'read-renewal-lost',
  effect: 'lost',
  of: 'lock',
  withoutCommands: 'hint',
  levels: ['monitor', 'replication', 'events'],
  concerns: ({ kind }) => KINDS[kind].hasReaders === true,
  wants: {
    types: ['unlock.refused', 'lease.expired', 'blind-spot.ended'],
    beside: [
      ...(['lock.acquired', 'lock.reentered', 'lock.released'] as const),
      ...(['lease.expired', 'lease.renewed', 'lease.shortened', 'renewal.refused'] as const),
    ],
    withinMs: LOST_WITHIN_MS,
  },
  detect(sight) {
    const { lockId, events, watched } = sight;
    const areCommandsSeen = watched.level === 'monitor';
    const findings: FindingOf<Incident>[] = [];
    for (const { began, ended, refused } of areCommandsSeen ? refusedUnlocks(sight) : expiredReads(events)) {
      const { holder } = began;
      if (began.mode !== 'read' || isWithoutFault(began)) continue;
      const isShown = areCommandsSeen
        ? hasWatchdogLease(began, events, Object.is)
        : hasWatchdogLease(
            began,
            events.filter(({ seq }) => seq < ended.seq),
            isSameLease,
          );
      if (!isShown) continue;
      const release = releaseOfAnother(began, ended, events);
      if (!release || wasRenewed(release.released, refused ?? ended, events, holder)) continue;
      const { reentered, released } = release;
      if (!areCommandsSeen && !wasAlive(began, released, ended, events)) continue;
      const { takenBy, takenAt, noticedAt, seqs } = aftermathOf(ended, holder, events);
      const endedAt = ended.expiresAt ?? ended.at;
      findings.push({
        incident: 'read-renewal-lost',
        severity: takenBy === null || !areCommandsSeen ? 'warning' : 'critical',
        confidence: areCommandsSeen ? 'likely' : 'hint',
        lockId,
        holders: takenBy === null ? [holder] : [holder, takenBy],
        from: endedAt,
        to: refused?.at ?? noticedAt,
        selfHealsAt: null,
        events: [reentered.seq, began.seq, released.seq, ended.seq, ...seqs],
        values: {
          ...{ holder, endedAt, unlockedAt: refused?.at ?? null, takenBy, takenAt },
          ...{ releasedBy: released.holder, releasedAt: released.at },
        },
      });
    }
    return findings.length === 0 && !areCommandsSeen ? 'level' : findings;
  },
};

/** A reader whose lease expired, and its late unlock, if that was seen. */
type Lost = { readonly began: Began; readonly ended: Expired; readonly refused?: LockEvent };

function refusedUnlocks(sight: LockSight): readonly Lost[] {
  const { events } = sight;
  const seen = new Set<number>();
  return events.flatMap((refused): Lost[] => {
    if (refused.type !== 'unlock.refused' || refused.reason !== 'expired') return [];
    const isOwn = (event: LockEvent) => 'holder' in event && event.holder === refused.holder;
    const began = lastBefore(refused, events, (event) => event.type === 'lock.acquired' && isOwn(event));
    const ended = lastBefore(refused, events, (event) => event.type === 'lease.expired' && isOwn(event));
    if (began?.type !== 'lock.acquired' || ended?.type !== 'lease.expired' || ended.seq < began.seq) return [];
    if (seen.has(ended.seq)) return []; // the thread unlocks again
    seen.add(ended.seq);
    if (mayBeOfLaterTry(refused, ended.at, sight)) return [];
    return [{ began, ended, refused }];
  });
}

function expiredReads(events: readonly LockEvent[]): readonly Lost[] {
  return expiredHolds(events).filter(({ ended }) => ended.certainty === 'observed');
}

/** Whether the client used this lock after the hold, or after its watchdog should have renewed it. */
function wasAlive(
  { holder, leaseMs = 0 }: Began,
  released: LockEvent,
  ended: LockEvent,
  events: readonly LockEvent[],
): boolean {
  const dueAt = plusMillis(released.at, leaseMs / 3 + LATE_MS);
  const client = clientOf(holder);
  return events.some(
    (event) =>
      event.type !== 'lease.expired' &&
      (event.at > dueAt || event.seq > ended.seq) &&
      'holder' in event &&
      event.holder !== undefined &&
      clientOf(event.holder) === client,
  );
}

/** Whether the scripts that the client sent show a version without this fault. */
function isWithoutFault({ clientVersion }: Began): boolean {
  const [first = '', last = first] = clientVersion?.split('–') ?? [];
  return first !== '' && (rankOf(last) < FIRST || rankOf(first) > LAST);
}

/**
 * Whether the lease is as long as the one that the watchdog of its client sets: it has the default length, or renewals
 * of that client show this length. Renewals of other clients also show it if every client has the same watchdog.
 */
function hasWatchdogLease({ holder, leaseMs }: Began, events: readonly LockEvent[], isSame: IsSame): boolean {
  if (leaseMs === undefined || isSame(leaseMs, DEFAULT_WATCHDOG_MS)) return leaseMs !== undefined;
  const client = clientOf(holder);
  const own = events.filter((event) => 'holder' in event && event.holder && clientOf(event.holder) === client);
  const isShownBy = (some: readonly LockEvent[]) =>
    some.some((event) => isRenewedWith(event, leaseMs, isSame)) && !hasOtherWatchdog(leaseMs, some, isSame);
  return isShownBy(own) || isShownBy(events);
}

function isRenewedWith(event: LockEvent, leaseMs: Millis, isSame: IsSame): boolean {
  if (event.type !== 'lease.renewed' || event.cause !== 'watchdog') return false;
  return event.leaseMs !== undefined && isSame(event.leaseMs, leaseMs);
}

/**
 * The last release by a reader during a hold. Undefined, unless that reader is another thread of the same client and
 * re-entered an earlier hold of its own.
 */
function releaseOfAnother(began: Began, ended: LockEvent, events: readonly LockEvent[]) {
  const client = clientOf(began.holder);
  const released = lastBefore(ended, events, (event) => event.type === 'lock.released' && event.mode === 'read');
  if (released?.type !== 'lock.released' || released.seq < began.seq) return undefined;
  const { holder } = released;
  if (holder === began.holder || clientOf(holder) !== client) return undefined;
  const again = lastBefore(released, events, (event) => event.type === 'lock.acquired' && event.holder === holder);
  const reentered =
    again &&
    lastBefore(
      again,
      events,
      (event) => event.type === 'lock.reentered' && event.mode === 'read' && event.holder === holder,
    );
  return reentered && { reentered, released };
}

/** Whether the hold was renewed after the release, or a renewal of it was refused. */
function wasRenewed({ seq }: LockEvent, end: LockEvent, events: readonly LockEvent[], holder: string): boolean {
  return events.some(
    (event) =>
      (event.type === 'lease.renewed' || event.type === 'renewal.refused') &&
      (event.holder === holder || event.holder === undefined) &&
      event.seq > seq &&
      event.seq < end.seq,
  );
}
