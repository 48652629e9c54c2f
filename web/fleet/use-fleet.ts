import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { FleetBody, fleetBody } from '../../shared/wire/fleet/fleet.ts';
import { getJson } from '../data/http/http.ts';

const ASK_EVERY_MS = 1000;

/** The sources of a viewer, and the locks that match `q`, asked for each second. */
export function useFleet(q: string) {
  const asked = new URLSearchParams(q === '' ? {} : { q });
  return useQuery<FleetBody>({
    queryKey: ['fleet', q],
    queryFn: ({ signal }) => getJson<typeof fleetBody>(`/api/fleet?${asked}`, signal),
    refetchInterval: ASK_EVERY_MS,
    placeholderData: keepPreviousData,
    retry: false,
  });
}
