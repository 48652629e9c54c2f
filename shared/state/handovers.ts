import { type Millis, millisBetween, plusMillis, type RedisTime } from '../base/time.ts';
import type { LockEvent } from '../events/event.ts';
import type { Handovers } from './lock-facts.ts';

/** After this time, the weight of a hand-over has fallen to 37 % (1/e). */
export const FADE_SECONDS = 30;

/**
 * A lock still counts as changing hands for this long after a hand-over. If three times the usual time between two
 * hand-overs is longer, it counts for that time.
 */
const NEXT_HANDOVER: Millis = 10_000;
const USUAL_TIMES = 3;

/** Whether an event gives the lock, or a permit, to a thread that had waited for it. */
export function isHandover(event: LockEvent): boolean {
  if (event.type === 'lock.acquired') return event.waitedMs !== undefined;
  return event.type === 'permits.acquired' && event.wokenBy !== undefined;
}

/** Returns until when a lock is treated as changing hands, if no further hand-over follows. */
export function changesHandsUntil({ perSecond, at }: Pick<Handovers, 'perSecond' | 'at'>): RedisTime {
  const betweenMs = perSecond > 0 ? 1000 / perSecond : 0;
  return plusMillis(at, Math.max(NEXT_HANDOVER, USUAL_TIMES * betweenMs));
}

/** Returns the average number of hand-overs a second as of `now`. */
export function handoversPerSecond({ perSecond, since, at }: Handovers, now: RedisTime): number {
  if (now <= at) return perSecond;
  return (perSecond * (1 - fadedFor(at, now)) * weightOf(since, at)) / weightOf(since, now);
}

/** The share of a hand-over that has faded after some time, from 0 to 1. */
function fadedFor(from: RedisTime, to: RedisTime): number {
  return -Math.expm1(-Math.max(0, millisBetween(from, to)) / 1000 / FADE_SECONDS);
}

/** The weight that an average is divided by while it is young: 0 at the first hand-over, nearly 1 after two minutes. */
export function weightOf(since: RedisTime, at: RedisTime): number {
  return fadedFor(since, at);
}

/**
 * Compares how much two locks change hands, as of the same instant: negative if `a` changes hands less. Which instant
 * makes no difference. The faded hand-overs are summed, not averaged, so a lock that has just had its first hand-overs
 * is below one that has had the same rate for a minute.
 */
export function compareHandovers(a: Handovers | undefined, b: Handovers | undefined): number {
  return logOf(a) - logOf(b) || 0;
}

function logOf(handovers: Handovers | undefined): number {
  const sum = handovers && handovers.perSecond * weightOf(handovers.since, handovers.at);
  return !handovers || !sum ? -Number.MAX_VALUE : Math.log(sum) + handovers.at / 1e6 / FADE_SECONDS;
}
