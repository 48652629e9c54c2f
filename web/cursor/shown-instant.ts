import { createContext, useContext } from 'react';
import type { RedisTime } from '../../shared/base/time.ts';
import { useIsClockStopped, useRedisNow } from '../data/use-live.ts';

/** The instant a part of the page is about; null: now. */
export const ShownInstant = createContext<RedisTime | null>(null);

/** Whether waiters could be seen at that instant; null: as now. */
export const ShownSight = createContext<boolean | null>(null);

/** The instant to count by here: the one that is shown, else Redis's clock. Null before that is known. */
export function useShownNow(sourceId?: string): RedisTime | null {
  const shown = useContext(ShownInstant);
  const now = useRedisNow(sourceId);
  return shown ?? now;
}

/** True where countdowns stand still because nobody watches. What is shown of the past stands still by intent. */
export function useIsShownClockStopped(sourceId?: string): boolean {
  const shown = useContext(ShownInstant);
  const isStopped = useIsClockStopped(sourceId);
  return shown === null && isStopped;
}
