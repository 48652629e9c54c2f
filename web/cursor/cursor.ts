import { useSyncExternalStore } from 'react';
import type { RedisTime } from '../../shared/base/time.ts';

/**
 * The instant on screen, shared by the timeline, the lock page and the events page.
 *
 *   live     the cursor is at now, and the view follows it
 *   paused   the cursor is at `at`; data still arrives, but nothing moves
 */
export type Cursor = { readonly mode: 'live' } | { readonly mode: 'paused'; readonly at: RedisTime };

const LIVE: Cursor = { mode: 'live' };
const listeners = new Set<() => void>();
let cursor: Cursor = LIVE;

export function currentCursor(): Cursor {
  return cursor;
}

/** Goes live: the cursor follows now. */
export function followNow(): void {
  set(LIVE);
}

/** Pauses the cursor at an instant. */
export function standAt(at: RedisTime): void {
  if (cursor.mode === 'paused' && cursor.at === at) return;
  set({ mode: 'paused', at });
}

/** Calls `listener` at each change. Returns the function that unsubscribes it. */
export function onCursor(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns the cursor; the component rerenders when it moves. */
export function useCursor(): Cursor {
  return useSyncExternalStore(onCursor, currentCursor);
}

function set(next: Cursor): void {
  if (cursor === next) return;
  cursor = next;
  for (const listener of listeners) listener();
}
