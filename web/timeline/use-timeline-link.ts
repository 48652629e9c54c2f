import { useEffect, useRef } from 'react';
import { redisTime } from '../../shared/base/time.ts';
import { lockIdOf } from '../../shared/state/lock-state.ts';
import { currentCursor, onCursor } from '../cursor/cursor.ts';
import { hrefFromRoute, type TimelineRoute } from '../url/route.ts';
import { navigate } from '../url/router.tsx';
import type { TimelineLink } from '../url/timeline-link.ts';
import { markById } from './causes.ts';
import type { Desk } from './desk.ts';
import { startOf } from './marks.ts';
import { firstFrom } from './search.ts';
import { centred } from './viewport.ts';

/** The address bar changes at most four times a second. */
const WRITE_EVERY_MS = 250;

/** What a link to exactly this view says. */
export function linkOf({ timeline }: Desk): TimelineLink {
  const state = timeline.get();
  const cursor = currentCursor();
  const isPaused = cursor.mode === 'paused';
  return {
    lock: state.onlyLock,
    view: isPaused ? state.view : null,
    zooms: isPaused ? state.zooms : [],
    at: isPaused ? redisTime(Math.round(cursor.at)) : null,
    selected: isPaused ? state.selected : null,
    hidden: [...state.hidden],
    pinned: [...state.pinned],
  };
}

/**
 * Keeps address bar and timeline the same. Pan and zoom replace the entry of the history; selections and committed
 * zooms push one, so that Back leads to what was looked at before.
 */
export function useTimelineLink(desk: Desk, route: TimelineRoute, isReady: boolean, onLost: () => void): void {
  const written = useRef('');
  const href = hrefFromRoute({ ...route, broken: [] });

  // somebody followed a link, or went back
  useEffect(() => {
    if (!isReady || href === written.current) return;
    written.current = href;
    if (!applyLink(desk, route.link)) onLost();
  }, [href, isReady, desk]);

  useEffect(() => {
    if (!isReady) return;
    let timer = 0;
    let before = linkOf(desk);
    const write = (isPush: boolean) => {
      window.clearTimeout(timer);
      timer = 0;
      const link = linkOf(desk);
      const to = { page: 'timeline' as const, link, broken: [] };
      written.current = hrefFromRoute(to);
      before = link;
      navigate(to, { replace: !isPush });
    };
    const changed = () => {
      const link = linkOf(desk);
      const isStep =
        (link.selected !== before.selected && link.selected !== null) || link.zooms.length !== before.zooms.length;
      if (isStep) write(true);
      else timer ||= window.setTimeout(() => write(false), WRITE_EVERY_MS);
    };
    const stops = [desk.timeline.subscribe(changed), onCursor(changed)];
    return () => {
      window.clearTimeout(timer);
      for (const stop of stops) stop();
    };
  }, [desk, isReady]);
}

/** Shows what a link says; false when its moment is no longer in memory. */
function applyLink(desk: Desk, link: TimelineLink): boolean {
  const { timeline } = desk;
  timeline.set({
    onlyLock: link.lock,
    hidden: new Set(link.hidden),
    pinned: new Set(link.pinned),
    zooms: link.zooms,
  });
  const chosen = link.selected === null ? null : findMark(desk, link.selected);
  if (link.view === null && link.at === null && link.selected === null) {
    if (!timeline.isLive()) timeline.goLive();
    return true;
  }
  const at = link.at ?? (chosen ? startOf(chosen.mark) : (link.view?.to ?? timeline.now()));
  timeline.pause(at);
  const view = link.view ?? centred(timeline.view(), at);
  timeline.set({
    view,
    lengthMicros: view.to - view.from,
    selected: chosen?.mark.id ?? null,
    selectedLock: chosen?.track.id ?? null,
  });
  const { from } = timeline.extent();
  return view.to >= from && (link.selected === null || chosen !== null);
}

function findMark({ timeline }: Desk, id: string) {
  const { events } = timeline.history;
  const seq = Number(id.slice(1));
  const event = events[firstFrom(events, seq, (other) => other.seq)];
  if (event?.seq !== seq || event.lock === '') return null;
  const track = timeline.history.track(lockIdOf(event), Date.now());
  const mark = track ? markById(track, id) : undefined;
  return track && mark ? { track, mark } : null;
}
