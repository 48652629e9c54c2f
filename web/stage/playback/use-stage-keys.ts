import { useEffect, useRef } from 'react';
import { stageKeyOf } from './stage-keys.ts';
import { SPEEDS } from './stage-view.ts';
import { usePlayer } from './use-stage.ts';

type KeyHandlers = { onPlayShow: (() => void) | null; onFull: () => void; onCaptions: () => void; onAhead: () => void };

/** Binds the keys of the stage while it is on the page. */
export function useStageKeys(handlers: KeyHandlers): void {
  const player = usePlayer();
  const newest = useRef(handlers);
  newest.current = handlers;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const key = stageKeyOf(event);
      if (key === null) return;
      event.preventDefault();
      const { storyboard, speed } = player.get();
      const faster = (by: number) => {
        const next = SPEEDS[SPEEDS.indexOf(speed) + by];
        if (next !== undefined) player.setSpeed(next);
      };
      switch (key) {
        case 'play':
          // on an empty stage, the key starts the show
          if (storyboard.beats.length === 0) newest.current.onPlayShow?.();
          else player.toggle();
          break;
        case 'back':
          return player.step(-1);
        case 'on':
          return player.step(1);
        case 'restart':
          return player.restart();
        case 'live':
          return player.goLive();
        case 'slower':
          return faster(-1);
        case 'faster':
          return faster(1);
        case 'full':
          return newest.current.onFull();
        case 'captions':
          return newest.current.onCaptions();
        case 'ahead':
          return newest.current.onAhead();
      }
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [player]);
}
