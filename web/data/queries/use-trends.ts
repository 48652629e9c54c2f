import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type RedisTime, redisTime } from '../../../shared/base/time.ts';
import type { TrendBin, trendsBody } from '../../../shared/wire/trends.ts';
import type { UnseenAt } from '../../../shared/wire/unseen-at.ts';
import { type ChosenRange, isSpan, type LinkSpan, spanOf } from '../../url/range.ts';
import { getJson } from '../http/http.ts';
import { useFromRedisNow, useIsOpenRecording, useLive, useLiveStore } from '../live/use-live.ts';

/** How far back the trends go if no range was chosen (5 min), and the number of bins. */
export const TREND_MICROS = 300_000_000;
const BINS = 60;
/** While live, the trends are read this often. */
const EVERY_MS = 5000;
/** Until the first counted bin is complete, the trends are read every second. */
const FIRST_EVERY_MS = 1000;
/** While no lock was used in the last 10 s and none is waited for, the trends are read every 15 s. */
const QUIET_MICROS = 10_000_000;
const QUIET_EVERY_MS = 15_000;
/** How much time after a past instant is shown: 60 s. */
const AFTER_MICROS = 60_000_000;

export type TrendsOfTime = {
  readonly binMicros: number;
  /** Complete bins only, oldest first. */
  readonly bins: readonly TrendBin[];
  /** Since when the server counts; null if that is before the first bin. */
  readonly since: number | null;
};

/** Reads the server's counts of a range. Without a range: of the minutes around an instant, or of the last minutes. */
export function useTrends(at: RedisTime | null, range: ChosenRange | null) {
  const { clock } = useLiveStore();
  const snapshotCount = useLive((state) => state.snapshotCount);
  const isRecording = useIsOpenRecording();
  const isMoving = at === null && !isRecording && !isSpan(range);
  const isQuiet = useIsQuiet();
  return useQuery({
    queryKey: ['trends', isSpan(range) ? null : at, range, snapshotCount],
    queryFn: async ({ signal }): Promise<TrendsOfTime> => {
      const span = spanAsked(at, range, clock.at(Date.now()));
      const limits = span === null ? {} : { from: String(span.from), to: String(span.to) };
      const query = new URLSearchParams({ ...limits, bins: String(BINS) });
      const { bins, binMs, oldestAt, to } = await getJson<typeof trendsBody>(`/api/trends?${query}`, signal);
      const binMicros = binMs * 1000;
      const whole = isRecording ? bins : bins.filter((bin) => bin.at + binMicros <= to);
      const first = whole[0]?.at ?? to;
      return { binMicros, bins: whole, since: oldestAt !== null && oldestAt > first ? oldestAt : null };
    },
    enabled: snapshotCount > 0,
    refetchInterval: ({ state: { data } }) => {
      if (!isMoving) return false;
      return data && !hasCounted(data) ? FIRST_EVERY_MS : isQuiet ? QUIET_EVERY_MS : EVERY_MS;
    },
    staleTime: isMoving ? 0 : Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
    gcTime: 60_000,
  });
}

/** The instants to ask for; null: the last minutes up to now, as the server counts them. */
function spanAsked(at: RedisTime | null, range: ChosenRange | null, now: RedisTime | null): LinkSpan | null {
  if (isSpan(range)) return range;
  const end = at ?? now;
  if (range !== null && end !== null) return spanOf(range, end);
  if (at === null) return null;
  const to = redisTime(Math.round(at + AFTER_MICROS));
  return { from: redisTime(to - TREND_MICROS), to };
}

/** Whether a complete bin was counted. */
function hasCounted({ bins, binMicros, since }: TrendsOfTime): boolean {
  return since === null || bins.some((bin) => bin.at + binMicros > since);
}

/**
 * True if, at the last tick, no event had arrived for 10 s and no lock was waited for. The trends do not change then.
 */
function useIsQuiet(): boolean {
  const store = useLiveStore();
  return useFromRedisNow(undefined, (now) => {
    const { events, locks } = store.get();
    const isOld = now !== null && now - (events.at(-1)?.at ?? 0) > QUIET_MICROS;
    return isOld && ![...locks.values()].some(({ waiters }) => waiters.length > 0);
  });
}

/** What was watched at an instant, and what could not be seen of each source. */
export type SightAt = Pick<TrendBin, 'seen' | 'waitsSeen'> & { readonly unseen: readonly UnseenAt[] };

/**
 * Returns what was watched at a past instant; undefined while that is unknown, and for the present. With `keepsLast`,
 * returns the previous answer until the new one arrives.
 */
export function useSightAt(at: RedisTime | null, keepsLast = false): SightAt | undefined {
  const instant = Math.round(at ?? 0);
  const { data } = useQuery({
    queryKey: ['sight', instant],
    queryFn: async ({ signal }): Promise<SightAt> => {
      const path = `/api/trends?from=${instant}&to=${instant}&bins=1`;
      const { bins, unseen = [] } = await getJson<typeof trendsBody>(path, signal);
      return { seen: 'forgotten', waitsSeen: false, ...bins.at(-1), unseen };
    },
    enabled: at !== null,
    ...(keepsLast ? { placeholderData: keepPreviousData } : {}),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    gcTime: 10_000,
  });
  return at === null ? undefined : data;
}
