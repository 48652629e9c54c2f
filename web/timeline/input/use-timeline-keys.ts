import { useEffect, useRef } from 'react';
import { type TimelineKey, timelineKeyOf } from '../../keys/key-map.ts';
import type { Workspace } from '../store/workspace.ts';
import { useWorkspace } from '../store/workspace.ts';
import { KeyMotion, type Motion } from './key-motion.ts';

type KeyHandlers = {
  /** Copies a link to this view. */
  readonly onCopy: () => void;
  /** Closes what is open on top; returns false if nothing is open. */
  readonly onEscape: () => boolean;
};

const MOTIONS: ReadonlySet<string> = new Set<Motion>(['zoom-in', 'zoom-out', 'pan-back', 'pan-on']);

/**
 * Binds the keys of the timeline while its page is open. The returned function reports whether the space bar is held.
 */
export function useTimelineKeys(handlers: KeyHandlers): () => boolean {
  const workspace = useWorkspace();
  const newest = useRef(handlers);
  newest.current = handlers;
  const isSpaceHeld = useRef(false);

  useEffect(() => {
    const motion = new KeyMotion(workspace.actions);
    const onKeyDown = (event: KeyboardEvent) => {
      const key = timelineKeyOf(event);
      if (key === null) return;
      if (key === 'escape') {
        if (newest.current.onEscape()) event.preventDefault();
        return;
      }
      event.preventDefault();
      if (key === 'pause') isSpaceHeld.current = true;
      if (isMotion(key)) motion.press(event.code, key, event.shiftKey);
      else if (!(event.repeat && key === 'pause')) act(key, event, workspace, newest.current);
    };
    const onKeyUp = (event: KeyboardEvent) => {
      if (event.code === 'Space') isSpaceHeld.current = false;
      motion.release(event.code);
    };
    const onBlur = () => motion.stop();
    window.addEventListener('keydown', onKeyDown);
    window.addEventListener('keyup', onKeyUp);
    window.addEventListener('blur', onBlur);
    return () => {
      motion.stop();
      window.removeEventListener('keydown', onKeyDown);
      window.removeEventListener('keyup', onKeyUp);
      window.removeEventListener('blur', onBlur);
    };
  }, [workspace]);
  return () => isSpaceHeld.current;
}

function isMotion(key: TimelineKey): key is Motion {
  return MOTIONS.has(key);
}

function act(
  key: Exclude<TimelineKey, Motion>,
  event: KeyboardEvent,
  { timeline, actions }: Workspace,
  handlers: KeyHandlers,
) {
  const row = actions.focusedRow();
  const lockId = row && row.kind !== 'quiet' ? row.lockId : undefined;
  const view = timeline.view();
  const steps = event.shiftKey ? 10 : 1;
  switch (key) {
    case 'brush':
      return actions.growBrush(((view.to - view.from) / 50) * (event.code === 'ArrowLeft' ? -1 : 1));
    case 'lane-up':
    case 'lane-down':
      return actions.focusRow(key === 'lane-up' ? -1 : 1);
    case 'lane-move':
      return lockId === undefined ? undefined : actions.moveLockBy(lockId, event.code === 'ArrowUp' ? -1 : 1);
    case 'mark-before':
    case 'mark-after':
      return actions.stepMark(key === 'mark-before' ? -1 : 1, { keepsCursor: event.shiftKey });
    case 'cause':
      return actions.toCause({ keepsCursor: event.shiftKey });
    case 'effect':
      return actions.toEffect({ keepsCursor: event.shiftKey });
    case 'details':
      if (row && row.kind !== 'thread') return actions.toggleOpen(row);
      return timeline.set({ areLinesOpen: timeline.get().selected !== null && !timeline.get().areLinesOpen });
    case 'show':
      return actions.showSelection();
    case 'zoom-to':
      return actions.zoomToBrush();
    case 'zoom-back':
      return actions.zoomBack();
    case 'problem-before':
    case 'problem-after':
      return actions.toProblem(key === 'problem-before' ? -1 : 1);
    case 'all':
      return actions.showAll();
    case 'pause':
      return timeline.isLive() ? timeline.pause() : timeline.goLive();
    case 'event-before':
      return actions.stepEvent(-steps);
    case 'event-after':
      return actions.stepEvent(steps);
    case 'start':
      return actions.toStart();
    case 'live':
      return timeline.goLive();
    case 'pin':
      return lockId === undefined ? undefined : actions.togglePin(lockId);
    case 'hide':
      return row ? actions.hide(row) : undefined;
    case 'copy':
      return handlers.onCopy();
    case 'escape':
      return undefined;
  }
}
