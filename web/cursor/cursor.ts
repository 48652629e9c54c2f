import { useSyncExternalStore } from 'react';
import { Changing } from '../../shared/base/changing.ts';
import type { RedisTime } from '../../shared/base/time.ts';

/**
 * The instant on screen, shared by all pages that can show the past, for example the timeline and the overview.
 *
 *   live     the cursor is at now, and the view follows it
 *   paused   the cursor is at `at`; data still arrives, but nothing moves
 */
type Cursor = { readonly mode: 'live' } | { readonly mode: 'paused'; readonly at: RedisTime };

const LIVE: Cursor = { mode: 'live' };
const cursor = new Changing<Cursor>(LIVE);

export const currentCursor = cursor.get;
/** Calls a listener at each change. Returns the function that unsubscribes it. */
export const onCursor = cursor.subscribe;

/** Goes live: the cursor follows now. */
export function followNow(): void {
  cursor.set(LIVE);
}

/** Pauses the cursor at an instant. */
export function pauseAt(at: RedisTime): void {
  const before = cursor.get();
  if (before.mode === 'paused' && before.at === at) return;
  cursor.set({ mode: 'paused', at });
}

/** Returns the cursor; the component rerenders when it moves. */
export function useCursor(): Cursor {
  return useSyncExternalStore(onCursor, currentCursor);
}
