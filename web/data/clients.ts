import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { clientBody, clientsBody } from '../../shared/wire/clients.ts';
import { getJson } from './http.ts';
import { useLive } from './use-live.ts';

/** How often the clients of now are read again. */
const EVERY_MS = 2000;
/** How many clients are listed: those with holds first. */
const MOST_LISTED = 200;

/** Reads the clients now (`at` null) or at a past instant. Returns the previous list while reading. */
export function useClients(at: number | null) {
  const beginning = useLive((state) => state.beginning);
  const query = new URLSearchParams({ limit: String(MOST_LISTED), ...instantOf(at) });
  return useQuery({
    queryKey: ['clients', beginning, at],
    queryFn: ({ signal }) => getJson(`/api/clients?${query}`, clientsBody, signal),
    placeholderData: keepPreviousData,
    ...readingAt(at),
  });
}

/** Reads one client. While another client or instant is read, nothing of the previous one is shown. */
export function useClient(client: string, source: string | null, at: number | null) {
  const beginning = useLive((state) => state.beginning);
  const query = new URLSearchParams({ ...(source === null ? {} : { source }), ...instantOf(at) });
  return useQuery({
    queryKey: ['client', beginning, client, source, at],
    queryFn: ({ signal }) => getJson(`/api/clients/${client}?${query}`, clientBody, signal),
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
