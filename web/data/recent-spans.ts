import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { RedisTime } from '../../shared/base/time.ts';
import { spansBody } from '../../shared/wire/http.ts';
import { getJson } from './http.ts';
import { LONGEST_NAME_ASKED } from './queries.ts';
import { useIsOpenRecording, useLiveStore } from './use-live.ts';

/** How far back spans are read (65 s: a little more than what is counted), and how often. */
const REACH_MICROS = 65_000_000;
const EVERY_MS = 2000;

type LockPlace = { readonly name: string; readonly source: string; readonly db: number };

/**
 * Reads the holds and waits of one lock that overlap the last minute, or the minute before a past instant. A slow answer is
 * waited for, however often the lock changes.
 */
export function useRecentSpans({ name, source, db }: LockPlace, at: RedisTime | null) {
  const store = useLiveStore();
  const isRecording = useIsOpenRecording();
  return useQuery({
    queryKey: ['recent-spans', source, db, name, at],
    queryFn: ({ signal }) => {
      const now = at ?? store.clock.at(Date.now(), source) ?? 0;
      const from = Math.max(0, Math.floor(now - REACH_MICROS));
      const query = new URLSearchParams({ lock: name, source, db: String(db), from: String(from) });
      if (at !== null) query.set('to', String(Math.round(at)));
      return getJson(`/api/spans?${query}`, spansBody, signal);
    },
    enabled: name.length <= LONGEST_NAME_ASKED,
    refetchInterval: at === null && !isRecording ? EVERY_MS : false,
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 1000,
  });
}
