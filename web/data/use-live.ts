import { createContext, useCallback, useContext, useSyncExternalStore } from 'react';
import type { RedisTime } from '../../shared/base/time.ts';
import type { LiveState } from './live-state.ts';
import type { LiveStore } from './live-store.ts';
import { isOpenRecording } from './open-recording.ts';
import { lastTick, onTick } from './ticker.ts';

export const LiveStoreContext = createContext<LiveStore | null>(null);

/** The page's one live store. */
export function useLiveStore(): LiveStore {
  const store = useContext(LiveStoreContext);
  if (!store) throw new Error('no LiveStore above this component');
  return store;
}

/** One part of the live state; renders again only when that part changed. */
export function useLive<T>(select: (state: LiveState) => T): T {
  const store = useLiveStore();
  return useSyncExternalStore(store.subscribe, () => select(store.get()));
}

/** Redis time, counting while the page hears from the source; null before it is known. */
export function useRedisNow(sourceId?: string): RedisTime | null {
  const store = useLiveStore();
  const local = useSyncExternalStore(onTick, lastTick);
  return store.clock.at(local, sourceId);
}

/** True while this source's clock stands still: its countdowns are not to be trusted. */
export function useIsClockStopped(sourceId?: string): boolean {
  const store = useLiveStore();
  return useSyncExternalStore(
    store.subscribe,
    useCallback(() => store.clock.isStopped(sourceId), [store, sourceId]),
  );
}

/** This machine's time in ms, at the last tick. */
export function useLocalNow(): number {
  return useSyncExternalStore(onTick, lastTick);
}

/** True where all there is stands in a file: an opened recording, in which nothing happens any more. */
export function useIsOpenRecording(): boolean {
  return useLive((state) => isOpenRecording(state.sources));
}
