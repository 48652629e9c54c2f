import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { z } from 'zod';
import { type InsightsBody, insightsBody } from '../../shared/wire/insight.ts';
import { getJson } from './http.ts';
import { useLive } from './use-live.ts';

/** What the detectors found at one instant. The instant itself is left out: it changes even if nothing else does. */
export type Found = Omit<InsightsBody, 'at' | 'v'>;

/**
 * How often what is wrong now is read again. Problems that begin or end are events of the stream, and read at once; this
 * is for their figures, and for what cannot be known.
 */
const EVERY_MS = 2000;
const EVERY_QUIET_MS = 10_000;

/** Reads what is wrong, now (`at` null) or at a past instant. Returns the previous findings while reading. */
export function useInsights(at: number | null) {
  const beginning = useLive((state) => state.beginning);
  return useQuery({
    queryKey: ['insights', beginning, at],
    queryFn: ({ signal }) => getJson(pathAt(at), insightsBody, signal),
    select: foundIn,
    refetchInterval: ({ state }) => {
      if (at !== null) return false;
      return state.data?.insights.length === 0 ? EVERY_QUIET_MS : EVERY_MS;
    },
    staleTime: at === null ? 0 : Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 10_000,
  });
}

function pathAt(at: number | null): string {
  return at === null ? '/api/insights' : `/api/insights?at=${Math.round(at)}`;
}

function foundIn({ at: _at, v: _v, ...found }: z.output<typeof insightsBody>): Found {
  return found;
}
