import type { RedisTime } from '../../shared/base/time.ts';

/** The instant under the pointer, shared by every panel. It moves with the mouse, so no React render hangs on it. */
const listeners = new Set<(at: RedisTime | null) => void>();
let hovered: RedisTime | null = null;

/** The instant under the pointer; null when it points at none. */
export function hoverTime(): RedisTime | null {
  return hovered;
}

/** Moves the hairline of every panel. */
export function setHoverTime(at: RedisTime | null): void {
  if (at === hovered) return;
  hovered = at;
  for (const listener of listeners) listener(at);
}

/** Calls `listener` at each move until the function given back is called. */
export function onHoverTime(listener: (at: RedisTime | null) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
