import { millisBetween, type RedisTime } from '../base/time.ts';
import type { LockEvent } from '../events/event.ts';
import type { Handovers, LockState } from './lock-state.ts';

/** After this time, a hand-over counts 37 % (1/e) of what it counted at first. */
const FADE_SECONDS = 30;

/** Whether an event gives the lock, or a permit, to a thread that had waited for it. */
export function isHandover(event: LockEvent): boolean {
  if (event.type === 'lock.acquired') return event.waitedMs !== undefined;
  return event.type === 'permits.acquired' && event.wokenBy !== undefined;
}

/**
 * Adds a hand-over to the average of its lock.
 *
 *   hand-overs   |  | |||           |
 *   average      ▂▁▂▁▂▄▆▅▄▃▃▂▂▁▁▁▁▁▁▂▁
 */
export function withHandover(lock: LockState, event: LockEvent): LockState {
  if (!isHandover(event)) return lock;
  const before = lock.handovers === undefined ? 0 : handoversPerSecond(lock.handovers, event.at);
  return { ...lock, handovers: { perSecond: before + 1 / FADE_SECONDS, at: event.at } };
}

/** Returns the average at a later instant. */
export function handoversPerSecond({ perSecond, at }: Handovers, now: RedisTime): number {
  return perSecond * Math.exp(-Math.max(0, millisBetween(at, now)) / 1000 / FADE_SECONDS);
}

/** Compares two averages as of the same instant, whichever it is: negative if `a` is the smaller one. */
export function compareHandovers(a: Handovers | undefined, b: Handovers | undefined): number {
  return logOf(a) - logOf(b) || 0;
}

function logOf(of: Handovers | undefined): number {
  return of === undefined ? -Number.MAX_VALUE : Math.log(of.perSecond) + of.at / 1e6 / FADE_SECONDS;
}
