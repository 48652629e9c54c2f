import type { RedisTime } from '../../shared/base/time.ts';
import { ALL_EVENTS } from '../data/queries/event-list.ts';
import { useEventsAround } from '../data/queries/listed-events.ts';
import { useEventSteps } from './use-event-steps.ts';

/** Events read on each side of the cursor. */
const OPTIONS = { each: 100 };

/** J and K move the cursor to the previous or next event, at any instant in the server's memory. */
export function useStepsAround(at: RedisTime): void {
  const { events, isLoading, isOld } = useEventsAround(ALL_EVENTS, at, OPTIONS);
  useEventSteps(events, isLoading || isOld);
}
