import type { RedisTime } from '../../shared/base/time.ts';
import { ALL_EVENTS } from '../data/event-list.ts';
import { useEventsAround } from '../data/events-around.ts';
import { useLive } from '../data/use-live.ts';
import { useEventSteps } from './use-event-steps.ts';

/** Events read on each side of the cursor, to step to. */
const EACH_SIDE = 100;
const NO_EVENTS: readonly { readonly at: RedisTime }[] = [];

/** J and K move the cursor one event back and on, at any instant that the server remembers. */
export function useStepsAround(at: RedisTime): void {
  const { data, isPlaceholderData, isError } = useEventsAround(ALL_EVENTS, at, true, EACH_SIDE);
  const live = useLive((state) => state.events);
  const newest = data?.events.at(-1)?.seq ?? 0;
  // what came since is there to step to once the events that were read reach the newest ones
  const isUpToLive = data !== undefined && live.length > 0 && (live[0]?.seq ?? 0) <= newest + 1;
  useEventSteps(
    data ? (isUpToLive ? [...data.events, ...live.filter(({ seq }) => seq > newest)] : data.events) : NO_EVENTS,
    !isError && (data === undefined || isPlaceholderData),
  );
}
