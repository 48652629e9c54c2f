import { createContext, useCallback, useContext, useMemo, useRef, useSyncExternalStore } from 'react';
import type { RedisTime } from '../../../shared/base/time.ts';
import type { LiveState } from './live-state.ts';
import type { LiveStore } from './live-store.ts';
import { isOpenRecording } from './open-recording.ts';
import { LIVE_PACE, pacedBy } from './paced.ts';
import { seconds, type Ticker, tenths } from './ticker.ts';

export const LiveStoreContext = createContext<LiveStore | null>(null);

/** Returns the live store of the page. Throws if there is no provider. */
export function useLiveStore(): LiveStore {
  const store = useContext(LiveStoreContext);
  if (!store) throw new Error('no LiveStore above this component');
  return store;
}

/** Returns a part of the live state; the component rerenders only if this part changes. */
export function useLive<T>(select: (state: LiveState) => T): T {
  const store = useLiveStore();
  return useSyncExternalStore(store.subscribe, () => select(store.get()));
}

/**
 * Returns parts of the live state, paced: a change after a pause is rendered at once, and later changes at the end
 * of an interval. The component renders again only if one of these parts changes. Each render must pass the same array
 * as `parts`.
 */
export function usePacedLive<K extends keyof LiveState>(parts: readonly K[]): Pick<LiveState, K> {
  const store = useLiveStore();
  const paced = useMemo(() => pacedBy(store, LIVE_PACE), [store]);
  const last = useRef<Pick<LiveState, K>>(paced.get());
  return useSyncExternalStore(paced.subscribe, () => {
    const state = paced.get();
    if (parts.some((part) => state[part] !== last.current[part])) last.current = state;
    return last.current;
  });
}

/**
 * Returns the Redis time of a source, or of the first one, ten times a second. It advances while the source is watched;
 * null before it is known.
 */
export function useRedisNow(sourceId?: string): RedisTime | null {
  const store = useLiveStore();
  const local = useSyncExternalStore(tenths.on, tenths.last);
  return store.clock.at(local, sourceId);
}

/**
 * Returns what `select` computes from the Redis time of a source at the last tick, for example a text in seconds. The
 * component rerenders only if the result changes, not at each tick.
 */
export function useFromRedisNow<T extends string | number | boolean | null>(
  sourceId: string | undefined,
  select: (now: RedisTime | null) => T,
  ticker: Ticker = seconds,
): T {
  const store = useLiveStore();
  return useSyncExternalStore(ticker.on, () => select(store.clock.at(ticker.last(), sourceId)));
}

/** True while the clock of this source is stopped: its countdowns stop too, and may be wrong. */
export function useIsClockStopped(sourceId?: string): boolean {
  const store = useLiveStore();
  return useSyncExternalStore(
    store.subscribe,
    useCallback(() => store.clock.isStopped(sourceId), [store, sourceId]),
  );
}

/** Returns this machine's time in ms, ten times a second. */
export function useLocalNow(): number {
  return useSyncExternalStore(tenths.on, tenths.last);
}

/** True if the page shows an opened recording, in which nothing changes. */
export function useIsOpenRecording(): boolean {
  return useLive((state) => isOpenRecording(state.sources));
}
