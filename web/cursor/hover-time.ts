import type { RedisTime } from '../../shared/base/time.ts';

/** The instant under the pointer, shared by every panel. Kept outside React, because it changes at every mouse move. */
const listeners = new Set<(at: RedisTime | null) => void>();
let hovered: RedisTime | null = null;

/** Returns the instant under the pointer; null if the pointer is not over a chart or the timeline. */
export function hoverTime(): RedisTime | null {
  return hovered;
}

/** Moves the hairline of every panel. */
export function setHoverTime(at: RedisTime | null): void {
  if (at === hovered) return;
  hovered = at;
  for (const listener of listeners) listener(at);
}

/** Calls `listener` at each move. Returns the function that unsubscribes it. */
export function onHoverTime(listener: (at: RedisTime | null) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
