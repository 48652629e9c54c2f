import { createContext, useContext, useMemo } from 'react';
import { type RedisTime, redisTime } from '../../shared/base/time.ts';
import type { UnseenAt } from '../../shared/wire/unseen-at.ts';
import { isWatched } from '../../shared/wire/watched.ts';
import { isCutOff } from '../data/live/live-state.ts';
import {
  useFromRedisNow,
  useIsClockStopped,
  useIsOpenRecording,
  useLive,
  useLiveStore,
  useRedisNow,
} from '../data/live/use-live.ts';
import type { SightAt } from '../data/queries/use-trends.ts';

/** The instant that a part of the page shows; null: now. */
export const ShownInstant = createContext<RedisTime | null>(null);

/** What Lockscope could see at that instant. `showsAttempts`: it saw refused attempts, and so the waiters. */
export type SightThen = { readonly showsAttempts: boolean; readonly unseen: readonly UnseenAt[] };

/** The `SightThen` of the shown instant; null: the page shows now. */
export const ShownSight = createContext<SightThen | null>(null);

/**
 * The `SightThen` of an answer of `useSightAt`. Without an answer, no attempts are shown, and no source is named as
 * unseen.
 */
export function useSightThen(sight: SightAt | undefined): SightThen {
  return useMemo(() => ({ showsAttempts: sight?.waitsSeen === true, unseen: sight?.unseen ?? [] }), [sight]);
}

/** The instant that ages and countdowns are computed from: the shown one, or Redis's time. Null until that is known. */
export function useShownNow(sourceId?: string): RedisTime | null {
  const shown = useContext(ShownInstant);
  const now = useRedisNow(sourceId);
  return shown ?? now;
}

/**
 * The last known instant is rounded down to a multiple of this (µs), so that it stays the same while the clock of the
 * page is corrected.
 */
const LAST_KNOWN_STEP = 100_000;

/**
 * The last instant at which an unwatched source was watched. Null: the source is watched, or the page shows a past
 * instant, or the server of the page does not answer.
 */
export function useLastKnownAt(sourceId: string | undefined): RedisTime | null {
  const shown = useContext(ShownInstant);
  const isUnwatched = useLive(({ link, sources }) => {
    const source = sources.find(({ id }) => id === sourceId);
    return link === 'live' && source !== undefined && !isWatched(source);
  });
  const at = useFromRedisNow(sourceId, (now) =>
    now === null || !isUnwatched ? null : Math.floor((now - 1) / LAST_KNOWN_STEP) * LAST_KNOWN_STEP,
  );
  return shown !== null || at === null ? null : redisTime(at);
}

/**
 * The last instant about which the server of the page reported, while it does not answer; null also for a past instant.
 */
export function useCutOffAt(): RedisTime | null {
  const shown = useContext(ShownInstant);
  const isOff = useLive((state) => isCutOff(state));
  const first = useLive(({ sources }) => (sources.find((source) => !isWatched(source)) ?? sources[0])?.id);
  const at = useFromRedisNow(first, (now) => (isOff ? now : null));
  return shown !== null || at === null ? null : redisTime(at);
}

/** Returns `select(shown instant)`. The component renders again only if the result changes. */
export function useFromShownNow<T extends string | number | boolean | null>(
  sourceId: string | undefined,
  select: (now: RedisTime | null) => T,
): T {
  const shown = useContext(ShownInstant);
  return useFromRedisNow(sourceId, (now) => select(shown ?? now));
}

/** A function that returns the shown instant when it is called. The component does not render as time passes. */
export function useReadShownNow(sourceId: string): () => RedisTime | null {
  const shown = useContext(ShownInstant);
  const { clock } = useLiveStore();
  return () => shown ?? clock.at(Date.now(), sourceId);
}

/** Events from longer ago than this (µs) have reached the page. */
const ON_THE_WAY = 1_000_000;

/**
 * As `useReadShownNow`, for an instant that the user shares. While live, it is 1 s ago, because later events may still
 * be on their way.
 */
export function useReadSureInstant(sourceId: string): () => RedisTime | null {
  const shown = useContext(ShownInstant);
  const isRecording = useIsOpenRecording();
  const { clock } = useLiveStore();
  const readNow = useReadShownNow(sourceId);
  return () => {
    const now = readNow();
    const isSure = shown !== null || isRecording || clock.isStopped(sourceId);
    return now === null || isSure ? now : redisTime(now - ON_THE_WAY);
  };
}

/** True if countdowns have stopped because the source is not watched. False for a past instant, which never counts. */
export function useIsShownClockStopped(sourceId?: string): boolean {
  const shown = useContext(ShownInstant);
  const isStopped = useIsClockStopped(sourceId);
  return shown === null && isStopped;
}
