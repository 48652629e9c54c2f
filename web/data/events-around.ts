import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import type { RedisTime } from '../../shared/base/time.ts';
import type { LockEvent } from '../../shared/events/event.ts';
import { eventsBody } from '../../shared/wire/http.ts';
import type { EventFilter } from './event-list.ts';
import { getJson } from './http.ts';
import { queryFromFilter } from './queries.ts';

/** Events read on each side of an instant. */
const EACH_SIDE = 500;

/** The events around an instant, oldest first; `isCut`: there are older or newer ones in memory. */
export type EventsAround = {
  readonly anchor: RedisTime;
  readonly events: readonly LockEvent[];
  readonly isCut: boolean;
};

/**
 * Reads the events around the cursor from the server's memory. `isWanted` is true if the list of the newest events does
 * not reach back to the cursor. The events are read again only if the cursor leaves their range.
 */
export function useEventsAround(filter: EventFilter, at: RedisTime | null, isWanted: boolean, each = EACH_SIDE) {
  const [anchor, setAnchor] = useState<RedisTime | null>(null);
  const query = useMemo(() => `dense=true&${queryFromFilter(filter, each)}`, [filter, each]);
  const result = useQuery({
    queryKey: ['events-around', query, anchor],
    queryFn: ({ signal }) => readAround(query, anchor as RedisTime, signal), // the query is enabled only with an anchor
    enabled: isWanted && anchor !== null,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
    gcTime: 10_000,
  });
  const { data, isPlaceholderData } = result;
  const isInside = at !== null && data !== undefined && !isPlaceholderData && isWithin(data, at);
  useEffect(() => {
    if (!isWanted || at === null) setAnchor(null);
    else if (anchor === null || (!isInside && !isPlaceholderData && data !== undefined)) setAnchor(at);
  }, [isWanted, at, anchor, isInside, isPlaceholderData, data]);
  return result;
}

async function readAround(query: string, anchor: RedisTime, signal: AbortSignal): Promise<EventsAround> {
  const at = Math.round(anchor);
  const [before, after] = await Promise.all([
    getJson(`/api/events?${query}&to=${at}`, eventsBody, signal),
    getJson(`/api/events?${query}&from=${at + 1}&after=0`, eventsBody, signal),
  ]);
  const events = [...before.events, ...after.events].sort((a, b) => a.seq - b.seq);
  return { anchor, events, isCut: before.isCut === true || after.isCut === true };
}

/** True if an instant is between the first and the last event, or is the requested one. */
function isWithin({ anchor, events }: EventsAround, at: RedisTime): boolean {
  const [first, last] = [events[0], events.at(-1)];
  return at === anchor || (first !== undefined && last !== undefined && first.at < at && at < last.at);
}
