import type { LockEvent } from '../../events/event.ts';
import { lockWith } from '../copies.ts';
import { FADE_SECONDS, handoversPerSecond, isHandover, weightOf } from '../handovers.ts';
import type { LockState } from '../lock-state.ts';

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
