import { type Millis, millisBetween, plusMillis } from '../../../base/time.ts';
import type { EventOf, LockEvent } from '../../../events/event.ts';
import { hostOf } from '../../../events/mirror/clients/client.ts';
import type { LockSight } from '../../detector.ts';
import type { FindingOf } from '../../insight.ts';
import { heldUpMs } from '../../standstills.ts';
import { lastBefore, mayBeOfLaterTry } from './overlap.ts';

type Finding = FindingOf<'lease-shorter-than-work'>;

/** Clients judge the end of a permit by their own clocks, so a client may take a permit back this much too early. */
const CLOCKS_DIFFER: Millis = 1000;

/**
 * The permits whose lease had ended before their client came to renew or release them. If such a permit was taken back,
 * and other clients then held all permits, one more client worked than the semaphore admits.
 *
 *   A   ┃████ lease ┃ · · · · · release
 *   B                    ┃██████████     of 1 permit
 */
export function outlivedPermits(sight: LockSight): readonly Finding[] {
  const late = new Map<string, Finding>();
  for (const event of sight.events) {
    for (const id of idsOfLate(event)) {
      const set = lastBefore(event, sight.events, (each) => isLease(each) && each.permitIds?.includes(id) === true);
      const finding = set && isLease(set) ? findingOf(id, set, event, sight) : undefined;
      const key = `${set?.seq} ${id}`; // a client may come to renew the permit, and then to release it
      if (finding && !late.has(key)) late.set(key, finding);
    }
  }
  return [...late.values()];
}

function findingOf(id: string, set: Lease, event: LockEvent, sight: LockSight): Finding | undefined {
  const { lock, lockId, events } = sight;
  const { expiresAt: endedAt } = set;
  if (endedAt == null || endedAt > event.at) return undefined;
  if (mayBeOfLaterTry({ at: event.at }, set.at, sight)) return undefined; // a renewal may be unseen
  const isKnown = lock.library !== null && lock.library !== 'unknown';
  if (!isKnown && !areOfOneHost(set, event)) return undefined; // any client may remove permits that have expired
  const back = events.find((each) => each.seq > set.seq && each.seq < event.seq && isTakenBack(each, id));
  if (back && back.at < plusMillis(endedAt, -CLOCKS_DIFFER)) return undefined;
  const heldUp = heldUpMs(sight, set.at, event.at);
  // without the standstill, the renewal or release would have come in time
  if (heldUp > 0 && millisBetween(endedAt, event.at) <= heldUp) return undefined;
  const taken = back && events.find((each) => each.seq > back.seq && each.seq < event.seq && isLastOne(each));
  const takenBy = taken && 'permitIds' in taken ? (taken.permitIds?.[0] ?? null) : null;
  return {
    incident: 'lease-shorter-than-work',
    severity: takenBy === null ? 'warning' : 'critical',
    confidence: isKnown && event.certainty === 'observed' ? 'certain' : 'likely',
    lockId,
    holders: takenBy === null ? [id] : [id, takenBy],
    from: endedAt,
    to: event.at,
    selfHealsAt: null,
    events: [set, back, taken, event].flatMap((each) => each?.seq ?? []),
    values: {
      ...{ holder: id, leaseMs: millisBetween(set.at, endedAt), endedAt, unlockedAt: event.at },
      ...{ takenBy, takenAt: takenBy === null ? null : (taken?.at ?? null) },
      heldMs: millisBetween(set.at, event.at),
      renewedAt: set.type === 'permits.renewed' ? set.at : null,
      ...{ isRenewal: event.type === 'renewal.refused', isRedisson: false, releasedBefore: null },
      ...{ isWatchdogKnown: true, isPermit: true },
    },
  };
}

function areOfOneHost(a: LockEvent, b: LockEvent): boolean {
  return a.by !== undefined && b.by !== undefined && hostOf(a.by) === hostOf(b.by);
}

/** The permits of an event that their client came to release or to renew only after they had expired. */
function idsOfLate(event: LockEvent): readonly string[] {
  if (event.type === 'permits.released') return event.isLate ? (event.permitIds ?? []) : [];
  const isRefused = event.type === 'unlock.refused' || event.type === 'renewal.refused';
  return isRefused && event.mode === 'permit' && event.reason === 'expired' ? [event.holder] : [];
}

type Lease = LockEvent & EventOf<'permits.acquired' | 'permits.renewed'>;

function isLease(event: LockEvent): event is Lease {
  return event.type === 'permits.acquired' || event.type === 'permits.renewed';
}

function isTakenBack(event: LockEvent, id: string): boolean {
  if (event.type === 'lease.expired') return event.mode === 'permit';
  return event.type === 'permits.expired' && event.permitIds?.includes(id) === true;
}

function isLastOne(event: LockEvent): boolean {
  return event.type === 'permits.acquired' && event.available !== undefined && event.available <= 0;
}
