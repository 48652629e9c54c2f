import type { RedisTime } from '../../shared/base/time.ts';
import { ALL_EVENTS } from '../data/event-list.ts';
import { useEventsAround } from '../data/events-around.ts';
import { useLive } from '../data/use-live.ts';
import { useEventSteps } from './use-event-steps.ts';

/** Events read on each side of the cursor. */
const EACH_SIDE = 100;
const NO_EVENTS: readonly { readonly at: RedisTime }[] = [];

/** J and K move the cursor to the previous or next event, at any instant in the server's memory. */
export function useStepsAround(at: RedisTime): void {
  const { data, isPlaceholderData, isError } = useEventsAround(ALL_EVENTS, at, true, EACH_SIDE);
  const live = useLive((state) => state.events);
  const newest = data?.events.at(-1)?.seq ?? 0;
  // live events are appended only if they follow the read ones without a gap
  const isUpToLive = data !== undefined && live.length > 0 && (live[0]?.seq ?? 0) <= newest + 1;
  useEventSteps(
    data ? (isUpToLive ? [...data.events, ...live.filter(({ seq }) => seq > newest)] : data.events) : NO_EVENTS,
    !isError && (data === undefined || isPlaceholderData),
  );
}
