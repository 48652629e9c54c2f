import { useLiveStore } from '../data/live/use-live.ts';

/**
 * A function that returns Redis's time when it is called, or this machine's until that is known. µs since the epoch.
 */
export function useReadNow(): () => number {
  const { clock } = useLiveStore();
  return () => Math.round(clock.at(Date.now()) ?? Date.now() * 1000);
}
