import { useEffect, useRef } from 'react';
import type { RedisTime } from '../../shared/base/time.ts';
import { isDialogOpen, isTyping } from '../keys/key-map.ts';
import { currentCursor, pauseAt } from './cursor.ts';
import { instantAfterSteps } from './step-events.ts';

/** Events per step with Shift. */
const FAST = 10;
const LATEST = Number.MAX_SAFE_INTEGER as RedisTime; // later than every event

type Events = readonly { readonly at: RedisTime }[];

/**
 * J moves the cursor one event back in a list, K one event forward; ten with Shift. While the list is loading, steps are
 * counted and applied once it is loaded.
 */
export function useEventSteps(events: Events, isLoading = false): void {
  const newest = useRef({ events, isLoading });
  newest.current = { events, isLoading };
  const stepsToCome = useRef(0);
  useEffect(() => {
    if (isLoading) return;
    moveBy(events, stepsToCome.current);
    stepsToCome.current = 0;
  }, [events, isLoading]);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.defaultPrevented;
      const step = event.code === 'KeyJ' ? -1 : event.code === 'KeyK' ? 1 : 0;
      if (step === 0 || !isPlain || isTyping(event.target) || isDialogOpen()) return;
      event.preventDefault();
      const steps = event.shiftKey ? step * FAST : step;
      if (newest.current.isLoading) stepsToCome.current += steps;
      else moveBy(newest.current.events, steps);
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
}

function moveBy(events: Events, steps: number): void {
  if (steps === 0) return;
  const cursor = currentCursor();
  const next = instantAfterSteps(events, cursor.mode === 'paused' ? cursor.at : LATEST, steps);
  if (next !== null) pauseAt(next);
}
