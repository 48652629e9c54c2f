import { type Millis, millisBetween, plusMillis, type RedisTime } from '../../../base/time.ts';
import type { DetailOf, LockEvent } from '../../../events/event.ts';
import type { HolderState, LockState } from '../../../state/lock-state.ts';
import { lastBefore } from '../lost/overlap.ts';
import type { Renewed } from '../lost/watchdog-hold.ts';

/** A watchdog that began less late than this shows nothing: clients of a busy machine renew a little late. */
const LATE_MS: Millis = 500;
/** Renewals come up to this much later than every third of the lease: the timers of a watchdog have steps of 100 ms. */
const STEP_MS: Millis = 200;
/** Fewer renewals do not show their pace. */
const ENOUGH_RENEWALS = 5;

/**
 * By how much the first renewal of a hold came too late, if the others came in time on average. A watchdog begins when
 * the client gets the answer to its acquisition, so that answer came as late as the first renewal did.
 *
 *   granted · · · answer ├── ⅓ ──┤▲├── ⅓ ──┤▲├── ⅓ ──┤▲
 *           late
 *
 * Null: the first renewal was in time, others were late too, the hold was re-entered, or this is not known.
 */
export function lateStartOf(
  { leaseMs, library }: LockState,
  { since, firstRenewedAt, lastRenewedAt, renewals, reentries }: HolderState,
): Millis | null {
  if (library !== 'redisson' || leaseMs === null || since === null || reentries !== undefined) return null;
  if (firstRenewedAt === undefined || lastRenewedAt === null || renewals < ENOUGH_RENEWALS) return null;
  const lateMs = millisBetween(since, firstRenewedAt) - leaseMs / 3;
  const paceMs = millisBetween(firstRenewedAt, lastRenewedAt) / (renewals - 1);
  return lateMs >= LATE_MS && paceMs <= leaseMs / 3 + STEP_MS ? lateMs : null;
}

/**
 * A hold that was renewed until another client force-unlocked it. Its thread was not seen to send anything about the
 * lock since it acquired it.
 */
export type ForcedHold = {
  readonly holder: string;
  /** When the hold began; if that was not seen, its first known renewal. */
  readonly since: RedisTime;
  readonly isAtLeast: boolean;
  readonly leaseMs: Millis;
  readonly renewals: number;
  readonly forced: LockEvent & DetailOf<'lock.force-released'>;
  /** The renewal that was refused: the watchdog did not know of the end. */
  readonly refused: LockEvent;
};

/**
 * The holds that another client force-unlocked while a watchdog renewed them, and whose threads have been silent since.
 */
export function forcedHolds(events: readonly LockEvent[]): ForcedHold[] {
  return events.flatMap((forced): ForcedHold[] => {
    if (forced.type !== 'lock.force-released' || forced.holder === undefined || forced.values) return [];
    const { holder } = forced;
    const own = events.filter((event) => 'holder' in event && event.holder === holder);
    const began = lastBefore(forced, own, ({ type }) => type === 'lock.acquired');
    const renewals = own.filter(
      (event): event is Renewed =>
        event.type === 'lease.renewed' &&
        event.cause === 'watchdog' &&
        event.seq > (began?.seq ?? 0) &&
        event.seq < forced.seq,
    );
    const [first] = renewals;
    const leaseMs = renewals.at(-1)?.leaseMs;
    const refused = own.find(({ type, seq }) => type === 'renewal.refused' && seq > forced.seq);
    const isSilent = !own.some(({ type, seq }) => seq > (began?.seq ?? 0) && !QUIET.has(type));
    if (!first || leaseMs === undefined || !refused || !isSilent || isByItself(forced, own)) return [];
    const since = began?.at ?? first.at;
    return [{ holder, since, isAtLeast: !began, leaseMs, renewals: renewals.length, forced, refused }];
  });
}

/** Events that the thread of a hold does not cause. */
const QUIET = new Set<LockEvent['type']>(['lease.renewed', 'renewal.refused', 'lock.force-released']);

/** Whether a connection of the holder's own client sent the force-unlock, or it is not known which connection did. */
function isByItself({ by }: LockEvent, own: readonly LockEvent[]): boolean {
  return by === undefined || own.some((event) => event.type !== 'lock.force-released' && event.by === by);
}

/** From when on a hold has lasted longer than most work: after three leases, but at least 5 s. */
export function longFrom(since: RedisTime, leaseMs: Millis): RedisTime {
  return plusMillis(since, Math.max(SHORTEST_MS, MANY_LEASES * leaseMs));
}

const MANY_LEASES = 3;
const SHORTEST_MS: Millis = 5000;
