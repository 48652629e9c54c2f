import { useEffect, useRef, useState } from 'react';
import type { RedisTime } from '../../shared/base/time.ts';
import { currentCursor, onCursor, pauseAt } from '../cursor/cursor.ts';
import { type Playable, playedTo, startOfPlay } from '../cursor/playing.ts';
import { isDialogOpen, isTyping } from '../keys/key-map.ts';

/**
 * How often a played recording moves on. The timeline draws what it has loaded; other pages request each instant from
 * the server.
 */
const DRAW_EVERY_MS = 33;
const REQUEST_EVERY_MS = 250;

type Player = { readonly isPlaying: boolean; readonly toggle: () => void };

/** Plays the recording: moves the cursor while it plays. Space plays and pauses on every page. */
export function usePlayer({ from, to }: Playable, speed: number, isSmooth: boolean): Player {
  const [isPlaying, setPlaying] = useState(false);
  const toggle = useRef(() => {});
  toggle.current = () => {
    if (!isPlaying) pauseAt(startOfPlay({ from, to }, cursorIn(to)));
    setPlaying(!isPlaying);
  };
  useEffect(() => {
    if (!isPlaying) return;
    let last = performance.now();
    const timer = window.setInterval(
      () => {
        const now = performance.now();
        const at = playedTo({ from, to }, cursorIn(to), now - last, speed);
        last = now;
        pauseAt(at);
        if (at >= to) setPlaying(false);
      },
      isSmooth ? DRAW_EVERY_MS : REQUEST_EVERY_MS,
    );
    // playing also stops when the user goes to the end
    const stop = onCursor(() => {
      if (currentCursor().mode === 'live') setPlaying(false);
    });
    return () => {
      window.clearInterval(timer);
      stop();
    };
  }, [isPlaying, from, to, speed, isSmooth]);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const hasModifier = event.ctrlKey || event.metaKey || event.altKey || event.shiftKey;
      if (event.code !== 'Space' || hasModifier || isTyping(event.target) || isDialogOpen()) return;
      if (event.target instanceof Element && event.target.matches('button, a, summary, input[type="radio"]')) return;
      event.preventDefault();
      if (!event.repeat) toggle.current();
    };
    window.addEventListener('keydown', onKeyDown, { capture: true });
    return () => window.removeEventListener('keydown', onKeyDown, { capture: true });
  }, []);
  return { isPlaying, toggle: () => toggle.current() };
}

/** The cursor of a recording; the end of the recording if no instant is chosen. */
function cursorIn(to: RedisTime): RedisTime {
  const cursor = currentCursor();
  return cursor.mode === 'paused' ? cursor.at : to;
}
