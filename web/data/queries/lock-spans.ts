import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { RedisTime } from '../../../shared/base/time.ts';
import type { Span, spansBody } from '../../../shared/wire/http.ts';
import type { LockHours, lockHoursBody } from '../../../shared/wire/lock-hours.ts';
import { getJson } from '../http/http.ts';
import { useIsOpenRecording, useLiveStore } from '../live/use-live.ts';
import { LONGEST_NAME_ASKED, useHasStore } from './queries.ts';
import { useSettled } from './use-settled.ts';

/** How far back spans are read (65 s: a little more than what is counted), and how often. */
const REACH_MICROS = 65_000_000;
const EVERY_MS = 2000;

type LockPlace = {
  readonly name: string;
  readonly source: string;
  readonly db: number;
  readonly changedAt: number;
};

/** The spans of the last 65 s up to `at`; `truncated`: only the newest of them. */
type RecentSpans = { readonly at: number; readonly spans: readonly Span[]; readonly truncated: boolean };

/**
 * Reads the holds and waits of one lock that overlap the last minute, or the minute before a past instant. A slow
 * answer is awaited, however often the lock changes. If the minute has no spans, they are read again only after a
 * change of the lock.
 */
export function useRecentSpans({ name, source, db, changedAt }: LockPlace, at: RedisTime | null) {
  const store = useLiveStore();
  const isRecording = useIsOpenRecording();
  const change = useRef(changedAt);
  change.current = changedAt;
  const none = useRef<{ readonly asked: string; readonly answer: RecentSpans } | null>(null);
  return useQuery({
    queryKey: ['recent-spans', source, db, name, at],
    queryFn: async ({ signal }): Promise<RecentSpans> => {
      const asked = JSON.stringify([source, db, name, at, change.current]);
      if (none.current?.asked === asked) return none.current.answer;
      const now = at ?? store.clock.at(Date.now(), source) ?? 0;
      const from = Math.max(0, Math.floor(now - REACH_MICROS));
      const query = new URLSearchParams({ lock: name, source, db: String(db), from: String(from) });
      if (at !== null) query.set('to', String(Math.round(at)));
      const { spans, truncated } = await getJson<typeof spansBody>(`/api/spans?${query}`, signal);
      const answer = { at: now, spans, truncated };
      none.current = spans.length === 0 ? { asked, answer } : null;
      return answer;
    },
    enabled: name.length <= LONGEST_NAME_ASKED,
    refetchInterval: at === null && !isRecording ? EVERY_MS : false,
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 1000,
  });
}

/** Minimum time between two reads of all spans of a lock. */
const ALL_EVERY_MS = 2000;

/**
 * Reads holds and waits of all locks with this name, again after a change of the lock. A slow answer is awaited: if a
 * change cancelled it, the spans of a busy lock would never arrive.
 */
export function useLockSpans({ name, changedAt }: { name: string; changedAt: number }) {
  const settled = useSettled(changedAt, ALL_EVERY_MS);
  const asked = useRef(settled);
  const enabled = name.length <= LONGEST_NAME_ASKED;
  const result = useQuery({
    queryKey: ['spans', name],
    queryFn: ({ signal }) => {
      asked.current = settled;
      return getJson<typeof spansBody>(`/api/spans?${new URLSearchParams({ lock: name })}`, signal);
    },
    enabled,
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 1000,
  });
  const { isFetching, refetch } = result;
  useEffect(() => {
    if (enabled && !isFetching && asked.current !== settled) void refetch();
  }, [enabled, isFetching, settled, refetch]);
  return result;
}

const HOURS_EVERY_MS = 60_000;

type StoredPlace = { readonly name: string; readonly source: string | null; readonly db: number | null };

/**
 * Reads statistics by hour of the 30 days up to `to`; null: up to now. They are of the locks with this name in `source`
 * and `db`; null: in all of them. Without a store nothing is read.
 */
export function useLockHours({ name, source, db }: StoredPlace, to: number | null) {
  const hasStore = useHasStore();
  return useQuery({
    queryKey: ['lock-hours', name, source, db, to],
    queryFn: ({ signal }): Promise<LockHours> => {
      const query = new URLSearchParams({ lock: name });
      if (source !== null) query.set('source', source);
      if (db !== null) query.set('db', String(db));
      if (to !== null) query.set('to', String(Math.round(to)));
      return getJson<typeof lockHoursBody>(`/api/hours?${query}`, signal);
    },
    enabled: hasStore && name.length <= LONGEST_NAME_ASKED,
    refetchInterval: to === null ? HOURS_EVERY_MS : false,
    retry: false,
    gcTime: 10_000,
  });
}
