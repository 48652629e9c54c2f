import { createContext, useContext } from 'react';
import type { RedisTime } from '../../shared/base/time.ts';
import { useIsClockStopped, useRedisNow } from '../data/use-live.ts';

/** The instant that a part of the page shows; null: now. */
export const ShownInstant = createContext<RedisTime | null>(null);

/** Whether waiters were visible at that instant; null: as they are now. */
export const ShownSight = createContext<boolean | null>(null);

/** The instant that ages and countdowns are computed from: the shown one, or Redis's time. Null until that is known. */
export function useShownNow(sourceId?: string): RedisTime | null {
  const shown = useContext(ShownInstant);
  const now = useRedisNow(sourceId);
  return shown ?? now;
}

/** True if countdowns have stopped because the source is not watched. False for a past instant, which never counts. */
export function useIsShownClockStopped(sourceId?: string): boolean {
  const shown = useContext(ShownInstant);
  const isStopped = useIsClockStopped(sourceId);
  return shown === null && isStopped;
}
