import type { DetailOf, LockEvent } from '../../../events/event.ts';
import { KINDS } from '../../../events/kinds/kinds.ts';
import { clientOf } from '../../../events/names/names.ts';
import { rankOf } from '../../../events/recognise/script-versions.ts';
import type { LockDetector } from '../../detector.ts';
import type { FindingOf } from '../../insight.ts';
import { DEFAULT_WATCHDOG_MS } from '../../lease-renewal.ts';
import { aftermathOf, hasOtherWatchdog, LOST_WITHIN_MS, lastBefore } from './overlap.ts';

type Incident = 'read-renewal-lost';
/** The releases that stop these renewals. */
const [FIRST, LAST] = [rankOf('3.44.0'), rankOf('4.6.1')];
type Acquired = LockEvent & DetailOf<'lock.acquired'>;

/**
 * The client stopped the renewals of a reader when another of its threads released, one that had re-entered the read lock in
 * an earlier hold. A client that was paused tries to renew when it goes on, so a refused renewal shows another cause. A lease
 * that is not the watchdog's is reported by `lease-shorter-than-work`. At most likely: a lease that the application set to the
 * same length looks alike.
 */
export const readRenewalLost: LockDetector<Incident> = {
  incident: 'read-renewal-lost',
  of: 'lock',
  needs: ['commands', 'key-events'],
  withoutCommands: 'nothing',
  levels: ['monitor'],
  concerns: ({ kind }) => KINDS[kind].hasReaders === true,
  wants: {
    types: ['unlock.refused'],
    beside: ['lock.acquired', 'lock.reentered', 'lock.released', 'lease.expired', 'lease.renewed', 'renewal.refused'],
    withinMs: LOST_WITHIN_MS,
  },
  detect({ lockId, events }) {
    const findings: FindingOf<Incident>[] = [];
    for (const refused of events) {
      if (refused.type !== 'unlock.refused' || refused.reason !== 'expired') continue;
      const { holder } = refused;
      const isOwn = (event: LockEvent) => 'holder' in event && event.holder === holder;
      const began = lastBefore(refused, events, (event) => event.type === 'lock.acquired' && isOwn(event));
      const ended = lastBefore(refused, events, (event) => event.type === 'lease.expired' && isOwn(event));
      if (began?.type !== 'lock.acquired' || began.mode !== 'read' || !hasWatchdogLease(began, events)) continue;
      if (isOther(began)) continue;
      if (ended?.type !== 'lease.expired' || ended.seq < began.seq) continue;
      const release = releaseOfAnother(began, ended, events);
      if (!release || wasRenewed(release.released, refused, events, isOwn)) continue;
      const { reentered, released } = release;
      const { takenBy, takenAt, seqs } = aftermathOf(ended, holder, events.filter(isNotRead));
      const endedAt = ended.expiresAt ?? ended.at;
      findings.push({
        incident: 'read-renewal-lost',
        severity: takenBy === null ? 'warning' : 'critical',
        confidence: 'likely',
        lockId,
        holders: takenBy === null ? [holder] : [holder, takenBy],
        from: endedAt,
        to: refused.at,
        selfHealsAt: null,
        events: [reentered.seq, began.seq, released.seq, ended.seq, ...seqs],
        values: {
          ...{ holder, endedAt, unlockedAt: refused.at, takenBy, takenAt },
          ...{ releasedBy: released.holder, releasedAt: released.at },
        },
      });
    }
    return findings;
  },
};

/** Whether the client is of a release without this fault, by the scripts it sent. */
function isOther({ clientVersion }: Acquired): boolean {
  const [first = '', last = first] = clientVersion?.split('–') ?? [];
  return first !== '' && (rankOf(last) < FIRST || rankOf(first) > LAST);
}

/** Readers never exclude each other. */
function isNotRead(event: LockEvent): boolean {
  return event.type !== 'lock.acquired' || event.mode !== 'read';
}

/**
 * Whether the lease is as long as the one that the watchdog of its client sets. Renewals of that client show it; those of
 * others do if every client has the same watchdog.
 */
function hasWatchdogLease({ holder, leaseMs }: Acquired, events: readonly LockEvent[]): boolean {
  if (leaseMs === undefined || leaseMs === DEFAULT_WATCHDOG_MS) return leaseMs !== undefined;
  const client = clientOf(holder);
  const own = events.filter((event) => 'holder' in event && event.holder && clientOf(event.holder) === client);
  const isShownBy = (some: readonly LockEvent[]) =>
    some.some((event) => isRenewedWith(event, leaseMs)) && !hasOtherWatchdog(leaseMs, some);
  return isShownBy(own) || isShownBy(events);
}

function isRenewedWith(event: LockEvent, leaseMs: number): boolean {
  return event.type === 'lease.renewed' && event.cause === 'watchdog' && event.leaseMs === leaseMs;
}

/** The last release by another reader of the same client during a hold, if that reader re-entered an earlier hold of its own. */
function releaseOfAnother(began: Acquired, ended: LockEvent, events: readonly LockEvent[]) {
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

/** Whether a watchdog renewed the hold after the release, or tried to. */
function wasRenewed(
  { seq }: LockEvent,
  refused: LockEvent,
  events: readonly LockEvent[],
  isOwn: (event: LockEvent) => boolean,
): boolean {
  return events.some(
    (event) =>
      (event.type === 'lease.renewed' || event.type === 'renewal.refused') &&
      (isOwn(event) || event.holder === undefined) &&
      event.seq > seq &&
      event.seq < refused.seq,
  );
}
