import { type Millis, millisBetween, type RedisTime } from '../../../base/time.ts';
import type { DetailOf, LockEvent } from '../../../events/event.ts';
import type { LockSight } from '../../detector.ts';
import type { FindingOf } from '../../insight.ts';
import { heldUpMs } from '../../standstills.ts';
import { cutOf, hadEnd, mayBeCut } from './cut-lease.ts';
import { lastBefore, mayBeOfLaterTry } from './overlap.ts';
import { beganBefore } from './watchdog-hold.ts';

type Incident = 'lease-shorter-than-work';
type Refused = LockEvent & DetailOf<'unlock.refused' | 'renewal.refused'>;

/**
 * The holds of tokens whose lease ended before their client came to renew or release them. From the end of the lease to
 * that refusal, the client worked without the lock. Such a client has no watchdog that could have failed, so it does
 * not matter whether it renewed the lease before.
 */
export function outlivedTokens(sight: LockSight): readonly FindingOf<Incident>[] {
  const { lock, lockId, events } = sight;
  return events.flatMap((ended): FindingOf<Incident>[] => {
    if (ended.type !== 'lease.expired' || ended.holder === undefined) return [];
    const { holder } = ended;
    const refused = refusalAfter(ended, holder, events);
    const began = beginOf(ended, holder, events);
    if (refused?.type === 'unlock.refused' && mayBeOfLaterTry(refused, ended.at, sight)) return [];
    if (!refused || !began || cutOf(ended, holder, events, lock)) return [];
    if (mayBeCut(ended, holder, events, lock)) return [];
    const lateMs = millisBetween(ended.expiresAt ?? ended.at, refused.at);
    const heldUp = heldUpMs(sight, began.at, refused.at);
    if (heldUp > 0 && lateMs <= heldUp) return []; // if Redis had answered, the client would have been in time
    const taken = events.find(
      ({ type, seq, ...event }) =>
        type === 'lock.acquired' &&
        seq > ended.seq &&
        seq < refused.seq &&
        'holder' in event &&
        event.holder !== holder,
    );
    const takenBy = taken && 'holder' in taken && taken.holder !== undefined ? taken.holder : null;
    const endedAt = ended.expiresAt ?? ended.at;
    const isCertain = lock.library === 'redis-py' && ended.certainty === 'observed';
    return [
      {
        incident: 'lease-shorter-than-work',
        severity: takenBy === null ? 'warning' : 'critical',
        confidence: isCertain ? 'certain' : 'likely',
        lockId,
        holders: takenBy === null ? [holder] : [holder, takenBy],
        from: endedAt,
        to: refused.at,
        selfHealsAt: null,
        events: [began.seq, ended.seq, ...(taken ? [taken.seq] : []), refused.seq],
        values: {
          ...{ holder, leaseMs: began.leaseMs, endedAt, unlockedAt: refused.at, takenBy, takenAt: taken?.at ?? null },
          heldMs: began.leaseMs === null ? null : millisBetween(began.at, refused.at),
          renewedAt: began.renewedAt,
          ...{ isRenewal: refused.type === 'renewal.refused', isRedisson: false, releasedBefore: null },
          ...{ isWatchdogKnown: true, isPermit: false },
        },
      },
    ];
  });
}

/** The first refused renewal or release of a holder after its lease had ended, before it acquired the lock again. */
function refusalAfter({ seq }: LockEvent, holder: string, events: readonly LockEvent[]): Refused | undefined {
  const next = events.find(
    (event) =>
      event.seq > seq &&
      (event.type === 'unlock.refused' || event.type === 'renewal.refused' || event.type === 'lock.acquired') &&
      event.holder === holder,
  );
  const isRefusal = next?.type === 'unlock.refused' || next?.type === 'renewal.refused';
  return isRefusal && next.reason !== 'error' ? next : undefined;
}

type Begin = {
  readonly seq: number;
  readonly at: RedisTime;
  readonly leaseMs: Millis | null;
  readonly renewedAt: RedisTime | null;
};

/**
 * When the lease that ended was last set. After SETNX there is no end, so the EXPIRE that follows is recorded as a
 * shorter lease.
 */
function beginOf(ended: LockEvent, holder: string, events: readonly LockEvent[]): Begin | undefined {
  const set = lastBefore(
    ended,
    events,
    (event) =>
      (event.type === 'lock.acquired' || event.type === 'lease.renewed' || event.type === 'lease.shortened') &&
      (event.holder ?? holder) === holder &&
      event.leaseMs !== undefined,
  );
  const began = beganBefore(ended, holder, events);
  if (began && began.leaseMs === undefined && began.seq > (set?.seq ?? -1))
    return { seq: began.seq, at: began.at, leaseMs: null, renewedAt: null };
  if (!set || !('leaseMs' in set) || set.leaseMs === undefined) return undefined;
  const isFirst = set.type === 'lock.acquired' || (set.type === 'lease.shortened' && !hadEnd(set, events));
  return { seq: set.seq, at: set.at, leaseMs: set.leaseMs, renewedAt: isFirst ? null : set.at };
}
