import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { doctorBody, Measurement, measurementBody } from '../../../shared/wire/doctor.ts';
import type { ObserveLevel } from '../../../shared/wire/source.ts';
import { BASE_PATH } from '../../url/base-path.ts';
import { getJson, requestJson } from '../http/http.ts';

const MEASUREMENT_KEY = ['measurement'];
/** The page shows the steps of a measurement, which take a second each. */
const ASK_EVERY_MS = 500;

/**
 * Examines the server of a source, or of every source (`source` null): when the page is opened, and again on demand.
 * Does nothing unless `isLive`.
 */
export function useDoctor(source: string | null, isLive: boolean) {
  const query = source === null ? '' : `?source=${encodeURIComponent(source)}`;
  return useQuery({
    queryKey: ['doctor', source],
    queryFn: ({ signal }) => getJson<typeof doctorBody>(`/api/doctor${query}`, signal),
    enabled: isLive,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
}

/** The measurement that runs, or the last one; null: there was none. */
export function useMeasurement() {
  return useQuery({
    queryKey: MEASUREMENT_KEY,
    queryFn: async ({ signal }): Promise<Measurement | null> =>
      (await getJson<typeof measurementBody>('/api/measurement', signal)).measurement,
    refetchInterval: ({ state }) => (state.data?.state === 'running' ? ASK_EVERY_MS : false),
  });
}

/** Begins a measurement. */
export function useMeasure() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ source, levels }: { readonly source: string; readonly levels: readonly ObserveLevel[] }) => {
      const init = {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ levels }),
      };
      const path = `${BASE_PATH}/api/sources/${encodeURIComponent(source)}/measure`;
      return (await requestJson<typeof measurementBody>(path, init)).measurement;
    },
    onSuccess: (measurement) => client.setQueryData(MEASUREMENT_KEY, measurement),
  });
}

/** Cancels the measurement that runs. */
export function useCancelMeasurement() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async () =>
      (await requestJson<typeof measurementBody>(`${BASE_PATH}/api/measurement`, { method: 'DELETE' })).measurement,
    onSuccess: (measurement) => client.setQueryData(MEASUREMENT_KEY, measurement),
  });
}
