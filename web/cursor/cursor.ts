import { useSyncExternalStore } from 'react';
import type { RedisTime } from '../../shared/base/time.ts';

/**
 * Which instant is on screen: now, or one that stands still. Timeline, lock and events share it.
 *
 *   live     the cursor is at now, the view follows
 *   paused   the cursor stands at `at`; data still arrives, nothing moves
 */
export type Cursor = { readonly mode: 'live' } | { readonly mode: 'paused'; readonly at: RedisTime };

const LIVE: Cursor = { mode: 'live' };
const listeners = new Set<() => void>();
let cursor: Cursor = LIVE;

/** The cursor as it is. */
export function currentCursor(): Cursor {
  return cursor;
}

/** Follows now. */
export function followNow(): void {
  set(LIVE);
}

/** Stands still at an instant. */
export function standAt(at: RedisTime): void {
  if (cursor.mode === 'paused' && cursor.at === at) return;
  set({ mode: 'paused', at });
}

/** Calls `listener` at each change until the function given back is called. */
export function onCursor(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The cursor; renders again when it moves. */
export function useCursor(): Cursor {
  return useSyncExternalStore(onCursor, currentCursor);
}

function set(next: Cursor): void {
  if (cursor === next) return;
  cursor = next;
  for (const listener of listeners) listener();
}
