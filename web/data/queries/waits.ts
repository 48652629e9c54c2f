import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { CostsBy } from '../../../shared/spans/rank-waits.ts';
import type { CostsBody, costsBody } from '../../../shared/wire/costs.ts';
import type { WaitsBody, waitsBody } from '../../../shared/wire/waits.ts';
import { getJson } from '../http/http.ts';
import { useIsOpenRecording, useLive, useLiveStore } from '../live/use-live.ts';

/** How often the waits up to now are read again. */
const EVERY_MS = 5000;

/** A range of time by Redis's clock, or the last `lastMicros` before now. All values are in µs. */
export type AskedRange = { readonly from: number; readonly to: number } | { readonly lastMicros: number };

export type ShownWaits = Omit<WaitsBody, 'v'> & {
  /** The requested beginning. The range may begin later. Null: not known. */
  readonly askedFrom: number | null;
  /** The requested end. If it is in the future, the range ends earlier. Null: now. */
  readonly askedTo: number | null;
};

/**
 * Reads what the waits of a range were spent on. Returns the previous range while reading. `most`: the most entries of
 * each list; absent: the server's limit. If `asked` is null, nothing is read.
 */
export function useWaits(asked: AskedRange | null, most?: number) {
  const snapshotCount = useLive((state) => state.snapshotCount);
  const isRecording = useIsOpenRecording();
  const store = useLiveStore();
  const isMoving = asked !== null && 'lastMicros' in asked && !isRecording;
  return useQuery({
    queryKey: ['waits', snapshotCount, asked, most],
    enabled: asked !== null,
    queryFn: async ({ signal }): Promise<ShownWaits> => {
      const span = spanOf(asked, store.clock.at(Date.now()));
      const query = new URLSearchParams(most === undefined ? {} : { limit: String(most) });
      for (const [name, at] of Object.entries(span)) query.set(name, String(at));
      const { v: _v, ...shown } = await getJson<typeof waitsBody>(`/api/waits?${query}`, signal);
      return { ...shown, askedFrom: span.from ?? null, askedTo: span.to ?? null };
    },
    // a range that ends in the future grows until then
    refetchInterval: ({ state }) => (isMoving || (!isRecording && isGrowing(state.data)) ? EVERY_MS : false),
    staleTime: isMoving ? 0 : Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 10_000,
  });
}

/** The instants to ask for. While the time of Redis is not known, the server chooses. */
function spanOf(asked: AskedRange | null, now: number | null): { from?: number; to?: number } {
  if (asked === null) return {};
  const whole = (at: number) => Math.max(0, Math.round(at));
  if ('from' in asked) return { from: whole(asked.from), to: whole(asked.to) };
  return now === null ? {} : { from: whole(now - asked.lastMicros) };
}

function isGrowing(shown: ShownWaits | undefined): boolean {
  return shown !== undefined && shown.askedTo !== null && shown.to < shown.askedTo;
}

export type ShownCosts = Omit<CostsBody, 'v'>;
type Span = { readonly from: number; readonly to: number };

/** Reads what locks, clients or holds cost others in a range, and how that differs from the range `against`. */
export function useCosts(span: Span, by: CostsBy, against: Span | null) {
  const snapshotCount = useLive((state) => state.snapshotCount);
  return useQuery({
    queryKey: ['costs', snapshotCount, span, by, against],
    queryFn: async ({ signal }): Promise<ShownCosts> => {
      const query = new URLSearchParams({ from: String(span.from), to: String(span.to), by, limit: '50' });
      if (against) query.set('against', `${against.from},${against.to}`);
      const { v: _v, ...shown } = await getJson<typeof costsBody>(`/api/costs?${query}`, signal);
      return shown;
    },
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 10_000,
  });
}
