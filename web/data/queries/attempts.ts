import { useQueries } from '@tanstack/react-query';
import type { LockEvent } from '../../../shared/events/event.ts';
import type { eventsBody } from '../../../shared/wire/http.ts';
import { getJson } from '../http/http.ts';
import { ALL_EVENTS } from './event-list.ts';
import { queryFromFilter } from './queries.ts';

/** Maximum number of refused attempts read for an expanded run. */
export const MOST_ATTEMPTS = 5000;

/**
 * Reads refused attempts from the server's memory: for each of `firsts`, the first attempts of runs, those of the same
 * holder at the same lock from there on. They may go on beyond the end of the run.
 */
export function useAttempts(firsts: readonly LockEvent[]): readonly LockEvent[] {
  return useQueries({
    queries: firsts.map((first) => {
      const { seq, lock, source } = first;
      const holder = 'holder' in first ? (first.holder ?? '') : '';
      const filter = { ...ALL_EVENTS, lock, source, holder, type: 'lock.refused' } as const;
      return {
        queryKey: ['attempts', source, lock, seq],
        queryFn: ({ signal }: { signal: AbortSignal }) =>
          getJson<typeof eventsBody>(`/api/events?after=${seq - 1}&${queryFromFilter(filter, MOST_ATTEMPTS)}`, signal),
        staleTime: Number.POSITIVE_INFINITY,
        gcTime: 1000,
      };
    }),
    combine: allEvents,
  });
}

function allEvents(results: readonly { data: { events: LockEvent[] } | undefined }[]): readonly LockEvent[] {
  return results.flatMap(({ data }) => data?.events ?? []);
}
