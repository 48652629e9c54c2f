import { type RedisTime, redisTime } from '../../../shared/base/time.ts';
import type { LiveStore } from '../live/live-store.ts';
import { EventWindow } from './event-window.ts';

const windows = new WeakMap<LiveStore, EventWindow>();

/** The window of events of a page; created on the first call, because the first page does not need it. */
export function windowOf(live: LiveStore): EventWindow {
  const known = windows.get(live) ?? new EventWindow();
  windows.set(live, known);
  return known;
}

/** Redis time now; if not known, the time of the newest event in the window, or else local time. */
export function redisNow(live: LiveStore): RedisTime {
  return live.clock.at(Date.now()) ?? windowOf(live).events.at(-1)?.at ?? redisTime(Date.now() * 1000);
}
