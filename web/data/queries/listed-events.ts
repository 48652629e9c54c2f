import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import type { z } from 'zod';
import { type RedisTime, redisTime } from '../../../shared/base/time.ts';
import type { LockEvent } from '../../../shared/events/event.ts';
import type { eventsBody } from '../../../shared/wire/http.ts';
import { getJson } from '../http/http.ts';
import { useLive, usePacedLive } from '../live/use-live.ts';
import { type EventFilter, eventMatcher, isOpenFilter, LIST_CAP } from './event-list.ts';
import { type EventRange, joinedRanges, liveRange } from './event-range.ts';
import { queryFromFilter } from './queries.ts';

/** Events read on each side of an instant. */
const EACH_SIDE = 500;

/**
 * Events of a list, oldest first. `isCut`: there are older matching events or, around an instant, older or newer ones.
 */
type ListedEvents = {
  readonly events: readonly LockEvent[];
  readonly isCut: boolean;
  /**
   * The instant around which they were read; null: they are the newest. While `isLoading` and after an `error`, the
   * newest are returned instead of those around the instant.
   */
  readonly anchor: RedisTime | null;
  readonly isLoading: boolean;
  /** True while events of another filter or instant are returned. */
  readonly isOld: boolean;
  readonly error: Error | null;
};

type Read = EventRange & { readonly isCut: boolean };

/**
 * Returns the newest matching events up to now: up to `limit` from the server's memory, and the live events after them.
 * If they do not reach back to `at`, returns the events around that instant instead.
 *
 *   memory     ······│························│·······
 *   newest                                |===|==live==►
 *   around        |==at==|
 */
export function useListedEvents(filter: EventFilter, at: RedisTime | null, limit: number): ListedEvents {
  const newest = useNewestEvents(filter, limit);
  const isOfPast =
    at !== null && !newest.isOld && !newest.isLoading && newest.isCut && (newest.events[0]?.at ?? 0) > at;
  const around = useEventsAround(filter, at, { isWanted: isOfPast });
  if (!isOfPast) return newest;
  if (around.anchor !== null) return around;
  return { ...newest, anchor: at, isLoading: around.error === null, error: around.error };
}

/**
 * The newest matching events. They are read again once the page has dropped some of the live events that came after
 * them.
 *
 *   read   |==========|                    |=========================|
 *   live               [dropped]|=====►     [dropped]|===============►
 *                       hole: read again
 */
function useNewestEvents(filter: EventFilter, limit: number): ListedEvents {
  const snapshotCount = useLive((state) => state.snapshotCount);
  const skipped = useLive((state) => state.skipped);
  const live = useLiveRange(filter);
  const query = useMemo(() => denseQuery(filter, limit), [filter, limit]);
  const { data, isFetching, isError, isPlaceholderData, isPending, error, refetch } = useQuery({
    queryKey: ['events', query, snapshotCount, skipped],
    queryFn: async ({ signal }) => rangeFrom(await getJson<typeof eventsBody>(`/api/events?${query}`, signal)),
    enabled: snapshotCount > 0,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 1000,
  });
  // events of the previous filter are shown only if they match this one
  const read = useMemo(
    () => (data && isPlaceholderData ? { ...data, events: data.events.filter(eventMatcher(filter)) } : data),
    [data, isPlaceholderData, filter],
  );
  const joined = useMemo(() => read && joinedRanges(read, live), [read, live]);
  const hasHole = joined === null;
  useEffect(() => {
    if (hasHole && !isFetching && !isError) void refetch();
  }, [hasHole, isFetching, isError, refetch]);
  const known = joined ?? (isError ? undefined : read) ?? live;
  const events = useMemo(() => known.events.slice(-LIST_CAP), [known]);
  const isCut = hasHole || data?.isCut === true || known.events.length > LIST_CAP;
  return { events, isCut, anchor: null, isLoading: isPending, isOld: isPlaceholderData, error };
}

/**
 * The events around an instant, and the live events if none is missing before them. They are read again only if the
 * instant leaves their range.
 */
export function useEventsAround(
  filter: EventFilter,
  at: RedisTime | null,
  { isWanted = true, each = EACH_SIDE } = {},
): ListedEvents {
  const [anchor, setAnchor] = useState<RedisTime | null>(null);
  const live = useLiveRange(filter);
  const query = useMemo(() => denseQuery(filter, each), [filter, each]);
  const { data, isPlaceholderData, error } = useQuery({
    queryKey: ['events-around', query, anchor],
    queryFn: ({ signal }) => readAround(filter, each, anchor as RedisTime, signal), // the query is enabled only with an anchor
    enabled: isWanted && anchor !== null,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
    gcTime: 10_000,
  });
  const isInside = at !== null && data !== undefined && !isPlaceholderData && isWithin(data, at);
  useEffect(() => {
    if (!isWanted || at === null) setAnchor(null);
    else if (anchor === null || (!isInside && !isPlaceholderData && data !== undefined)) setAnchor(at);
  }, [isWanted, at, anchor, isInside, isPlaceholderData, data]);
  const known = useMemo(() => data && (joinedRanges(data, live) ?? data), [data, live]);
  return {
    events: known?.events ?? NONE,
    isCut: data?.isCut === true,
    anchor: data?.anchor ?? null,
    isLoading: data === undefined && error === null,
    isOld: isPlaceholderData,
    error,
  };
}

const NONE: readonly LockEvent[] = [];

function denseQuery(filter: EventFilter, limit: number): string {
  return `dense=true&${queryFromFilter(filter, limit)}`;
}

const OF_EVENTS = ['events', 'wholeFrom', 'seq'] as const;

/**
 * The live events that match a filter, without a gap; a filter for a holder also finds the client names that this page
 * knows. Changes about 20 times a second at most.
 */
function useLiveRange(filter: EventFilter): EventRange {
  const names = useLive((state) => (filter.holderPart === '' ? null : state.names));
  const live = usePacedLive(OF_EVENTS);
  const { events, wholeFrom } = live;
  const seq = events.length === 0 ? live.seq : 0;
  const isWanted = useMemo(
    () => (isOpenFilter(filter) ? undefined : eventMatcher(filter, (client) => names?.get(client))),
    [filter, names],
  );
  return useMemo(() => liveRange({ events, wholeFrom, seq }, isWanted), [events, wholeFrom, seq, isWanted]);
}

type Around = Read & { readonly anchor: RedisTime };

async function readAround(filter: EventFilter, each: number, anchor: RedisTime, signal: AbortSignal): Promise<Around> {
  const at = Math.round(anchor);
  const read = (part: Partial<EventFilter>, after = '') =>
    getJson<typeof eventsBody>(`/api/events?${denseQuery({ ...filter, ...part }, each)}${after}`, signal);
  const [before, after] = await Promise.all([
    read({ to: redisTime(Math.min(at, filter.to ?? at)) }),
    read({ from: redisTime(Math.max(at + 1, filter.from ?? 0)) }, '&after=0'),
  ]);
  const events = [...before.events, ...after.events].sort((a, b) => a.seq - b.seq);
  const isCut = before.isCut === true || after.isCut === true;
  const lastSeq = after.isCut === true ? (after.events.at(-1)?.seq ?? 0) : Math.min(before.nextSeq, after.nextSeq) - 1;
  return { anchor, events, isCut, afterSeq: rangeFrom(before).afterSeq, lastSeq };
}

/** The newest events in a response. */
function rangeFrom({ events, isCut = false, oldestSeq, nextSeq }: z.infer<typeof eventsBody>): Read {
  return { afterSeq: (isCut ? (events[0]?.seq ?? nextSeq) : oldestSeq) - 1, lastSeq: nextSeq - 1, events, isCut };
}

/** True if an instant is between the first and the last event, or is the requested one. */
function isWithin({ anchor, events }: Around, at: RedisTime): boolean {
  const [first, last] = [events[0], events.at(-1)];
  return at === anchor || (first !== undefined && last !== undefined && first.at < at && at < last.at);
}
