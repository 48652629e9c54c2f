import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { GraphBody, graphBody } from '../../../shared/wire/graph.ts';
import { getJson } from '../http/http.ts';
import { useLive } from '../live/use-live.ts';

/** A graph without its instant, which changes even if nothing else does. */
export type ShownGraph = Omit<GraphBody, 'at' | 'v'>;

/** How often the graph is read again while live. */
const EVERY_MS = 2000;

/**
 * Reads which thread waits for which, now (`at` null) or at a past instant. Returns the previous graph while reading.
 */
export function useGraph(at: number | null) {
  const snapshotCount = useLive((state) => state.snapshotCount);
  return useQuery({
    queryKey: ['graph', snapshotCount, at],
    queryFn: ({ signal }) =>
      getJson<typeof graphBody>(at === null ? '/api/graph' : `/api/graph?at=${Math.round(at)}`, signal),
    select: shownIn,
    refetchInterval: at === null ? EVERY_MS : false,
    staleTime: at === null ? 0 : Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 10_000,
  });
}

function shownIn({ at: _at, v: _v, ...shown }: GraphBody): ShownGraph {
  return shown;
}
