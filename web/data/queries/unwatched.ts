import { useQuery } from '@tanstack/react-query';
import type { LockEvent } from '../../../shared/events/event.ts';
import type { eventsBody } from '../../../shared/wire/http.ts';
import { getJson } from '../http/http.ts';
import { useLive } from '../live/use-live.ts';
import { type MemoryEdge, useHealth, useMemoryEdge } from './queries.ts';

/** A range of time, in Redis time, in which a source was not watched. */
type UnwatchedTime = { readonly source: string; readonly from: number; readonly to: number };

/** Everything that limits the sentence "no lock was used": times that were not watched, and dropped events. */
export type Unwatched = {
  /** The unwatched times that have ended, the newest first; at most 1,000. */
  readonly times: readonly UnwatchedTime[];
  /** The oldest instant in memory, if older events were dropped; otherwise null. */
  readonly droppedTo: number | null;
  /**
   * The latest end of an unwatched time, or `droppedTo` if that is later; null: no unwatched time has ended, and no
   * event was dropped.
   */
  readonly since: number | null;
};

/**
 * Reads which times were not watched; undefined until that is known. Reads again every 5 s, and when a source changes
 * its status.
 */
export function useUnwatched(): Unwatched | undefined {
  const snapshotCount = useLive((state) => state.snapshotCount);
  const statuses = useLive((state) => state.sources.map(({ id, status }) => `${id} ${status}`).join());
  const isHealthKnown = useHealth().data !== undefined;
  const edge = useMemoryEdge();
  const { data } = useQuery({
    queryKey: ['unwatched', snapshotCount, statuses],
    queryFn: ({ signal }) => getJson<typeof eventsBody>('/api/events?type=blind-spot.ended&limit=1000', signal),
    refetchInterval: 5000,
  });
  return data && isHealthKnown ? unwatchedFrom(data.events, edge) : undefined;
}

/** Derives the unwatched times from the ends of blind spots, oldest first, and from the edge of memory. */
export function unwatchedFrom(ends: readonly LockEvent[], edge: MemoryEdge | null): Unwatched {
  const times = ends.flatMap((event) =>
    event.type === 'blind-spot.ended' ? [{ source: event.source, from: event.from, to: event.at }] : [],
  );
  const droppedTo = edge?.isDropped ? edge.at : null;
  const ended = [...times.map(({ to }) => to), ...(droppedTo === null ? [] : [droppedTo])];
  return { times: times.reverse(), droppedTo, since: ended.length === 0 ? null : Math.max(...ended) };
}
