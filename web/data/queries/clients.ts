import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { clientBody, clientsBody } from '../../../shared/wire/clients.ts';
import { getJson } from '../http/http.ts';
import { useLive } from '../live/use-live.ts';

/** How often the list of clients is read again while live. */
const EVERY_MS = 2000;
/** How many clients are listed at first, and at most. Clients with holds come first. */
export const CLIENTS_LISTED = { first: 200, most: 1000 } as const;

/** Reads up to `limit` clients now (`at` null) or at a past instant. Returns the previous list while reading. */
export function useClients(at: number | null, limit: number = CLIENTS_LISTED.first) {
  const snapshotCount = useLive((state) => state.snapshotCount);
  const query = new URLSearchParams({ limit: String(limit), ...instantOf(at) });
  return useQuery({
    queryKey: ['clients', snapshotCount, at, limit],
    queryFn: ({ signal }) => getJson<typeof clientsBody>(`/api/clients?${query}`, signal),
    placeholderData: keepPreviousData,
    ...readingAt(at),
  });
}

/** Reads one client. While another client or instant is read, nothing of the previous one is shown. */
export function useClient(client: string, source: string | null, at: number | null) {
  const snapshotCount = useLive((state) => state.snapshotCount);
  const query = new URLSearchParams({ ...(source === null ? {} : { source }), ...instantOf(at) });
  return useQuery({
    queryKey: ['client', snapshotCount, client, source, at],
    queryFn: ({ signal }) => getJson<typeof clientBody>(`/api/clients/${client}?${query}`, signal),
    ...readingAt(at),
  });
}

function instantOf(at: number | null) {
  return at === null ? {} : { at: String(Math.round(at)) };
}

function readingAt(at: number | null) {
  return {
    refetchInterval: at === null ? EVERY_MS : (false as const),
    staleTime: at === null ? 0 : Number.POSITIVE_INFINITY,
    retry: false,
    gcTime: 10_000,
  };
}
