import { useEffect, useRef } from 'react';
import { redisTime } from '../../shared/base/time.ts';
import { useIsOpenRecording } from '../data/live/use-live.ts';
import type { ClientsRoute, EventsRoute, GraphRoute, LockRoute, OverviewRoute, WaitsRoute } from '../url/route.ts';
import { navigate } from '../url/router.tsx';
import { currentCursor, followNow, onCursor, pauseAt } from './cursor.ts';
import { chooseRange } from './range.ts';
import { chooseEvent } from './selection.ts';

/** The address bar changes at most four times a second. */
const WRITE_EVERY_MS = 250;

/**
 * Keeps the address bar in step with cursor and selection, on the overview and the pages of a lock, events, graph,
 * waits and clients. Also takes the range from the address. If the address changes (a link was followed, or Back was
 * pressed), the address wins. Cursor steps replace the history entry.
 */
export function useMomentLink(
  route: OverviewRoute | LockRoute | EventsRoute | GraphRoute | WaitsRoute | ClientsRoute,
): void {
  const newest = useRef(route);
  newest.current = route;
  const { at, selected } = route;
  const rangeKey = JSON.stringify(route.range);

  const isRecording = useIsOpenRecording();
  useEffect(() => {
    if (at !== null) pauseAt(at);
    // a recording has no now: without an instant in the address, the cursor stays where it is
    else if (!isRecording) followNow();
  }, [at, isRecording]);
  useEffect(() => chooseEvent(selected), [selected]);
  useEffect(() => chooseRange(newest.current.range ?? null), [rangeKey]);

  useEffect(() => {
    let timer = 0;
    const write = () => {
      timer = 0;
      const cursor = currentCursor();
      const next = cursor.mode === 'paused' ? redisTime(Math.round(cursor.at)) : null;
      if (next === newest.current.at) return;
      const selected = next === null ? null : newest.current.selected;
      navigate({ ...newest.current, at: next, selected }, { replace: true });
    };
    const stop = onCursor(() => {
      timer ||= window.setTimeout(write, WRITE_EVERY_MS);
    });
    return () => {
      stop();
      window.clearTimeout(timer);
    };
  }, []);
}
