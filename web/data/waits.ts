import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type WaitsBody, waitsBody } from '../../shared/wire/waits.ts';
import { getJson } from './http.ts';
import { useIsOpenRecording, useLive, useLiveStore } from './use-live.ts';

/** How often the waits up to now are read again. */
const EVERY_MS = 5000;

/** A stretch of Redis time, or the last part of it, in µs. */
export type AskedStretch = { readonly from: number; readonly to: number } | { readonly lastMicros: number };

export type ShownWaits = Omit<WaitsBody, 'v'> & {
  /** Where the stretch was asked to begin; it may begin later. Null: not known. */
  readonly askedFrom: number | null;
};

/** Reads what the waits of a stretch were spent on. Returns the previous stretch while reading. */
export function useWaits(asked: AskedStretch) {
  const beginning = useLive((state) => state.beginning);
  const isRecording = useIsOpenRecording();
  const store = useLiveStore();
  const isMoving = 'lastMicros' in asked && !isRecording;
  return useQuery({
    queryKey: ['waits', beginning, asked],
    queryFn: async ({ signal }): Promise<ShownWaits> => {
      const span = 'from' in asked ? asked : spanUntil(store.clock.at(Date.now()), asked.lastMicros);
      const query = new URLSearchParams();
      for (const [name, at] of Object.entries(span)) query.set(name, String(Math.max(0, Math.round(at))));
      const { v: _v, ...shown } = await getJson(`/api/waits?${query}`, waitsBody, signal);
      return { ...shown, askedFrom: span.from ?? null };
    },
    refetchInterval: isMoving ? EVERY_MS : false,
    staleTime: isMoving ? 0 : Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 10_000,
  });
}

/** The stretch up to now. While the time of Redis is not known, the server chooses. */
function spanUntil(now: number | null, micros: number): { from?: number; to?: number } {
  return now === null ? {} : { from: now - micros };
}
