import type { LockEvent } from '../../events/event.ts';
import { lockWith } from '../copies.ts';
import { FADE_SECONDS, handoversPerSecond, weightOf } from '../handovers.ts';
import type { LockState } from '../lock-state.ts';

/** Whether an event gives the lock, or a permit, to a thread that had waited for it. */
export function isHandover(event: LockEvent): boolean {
  if (event.type === 'lock.acquired') return event.waitedMs !== undefined;
  return event.type === 'permits.acquired' && event.wokenBy !== undefined;
}

/**
 * Adds a hand-over to the average of its lock. The first one only starts the time over which the average is taken.
 *
 *   hand-overs   |  | |||           |
 *   average       ▄▄▃▄▅▇▆▄▃▃▂▂▁▁▁▁▁▁▂▁
 */
export function withHandover(lock: LockState, event: LockEvent): LockState {
  if (!isHandover(event)) return lock;
  const { at } = event;
  if (lock.handovers === undefined) return lockWith(lock, { handovers: { perSecond: 0, since: at, at } });
  const { since } = lock.handovers;
  const weight = weightOf(since, at);
  const perSecond = weight > 0 ? handoversPerSecond(lock.handovers, at) + 1 / FADE_SECONDS / weight : 0;
  return lockWith(lock, { handovers: { perSecond, since, at } });
}
