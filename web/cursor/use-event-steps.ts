import { useEffect, useRef } from 'react';
import type { RedisTime } from '../../shared/base/time.ts';
import { isDialogOpen, isTyping } from '../app/key-map.ts';
import { currentCursor, standAt } from './cursor.ts';
import { instantAfterSteps } from './step-events.ts';

/** Steps of the cursor with Shift. */
const FAST = 10;
const AFTER_ALL = Number.MAX_SAFE_INTEGER as RedisTime; // later than every event

/** J and K move the cursor one event of a list back and on, ten with Shift. */
export function useEventSteps(events: readonly { readonly at: RedisTime }[]): void {
  const newest = useRef(events);
  newest.current = events;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.defaultPrevented;
      const step = event.code === 'KeyJ' ? -1 : event.code === 'KeyK' ? 1 : 0;
      if (step === 0 || !isPlain || isTyping(event.target) || isDialogOpen()) return;
      event.preventDefault();
      const cursor = currentCursor();
      const from = cursor.mode === 'paused' ? cursor.at : AFTER_ALL;
      const next = instantAfterSteps(newest.current, from, event.shiftKey ? step * FAST : step);
      if (next !== null) standAt(next);
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
}
