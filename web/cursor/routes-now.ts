import type { RedisTime } from '../../shared/base/time.ts';
import { seqOfId } from '../url/moment.ts';
import { isAtEnd } from '../url/origin.ts';
import {
  EVENTS,
  type EventsRoute,
  type LockRoute,
  lockRoute,
  OVERVIEW,
  type OverviewRoute,
  TIMELINE,
  type TimelineRoute,
} from '../url/route.ts';
import { PLAIN_TIMELINE, type TimelineLink } from '../url/timeline-link.ts';
import { currentCursor } from './cursor.ts';
import { currentSelection } from './selection.ts';

let lastTimeline: TimelineLink = PLAIN_TIMELINE;

/** Remembers what the timeline showed, for the way back to it. */
export function rememberTimeline(link: TimelineLink): void {
  lastTimeline = link;
}

/** The timeline as it was left, with the cursor and the selection as they are now. */
export function timelineNow(): TimelineRoute {
  const cursor = currentCursor();
  const { view, ...rest } = lastTimeline;
  if (cursor.mode === 'live')
    return { ...TIMELINE, link: { ...rest, view: null, zooms: [], at: null, selected: null } };
  const { at } = cursor;
  const isInView = view !== null && view.from <= at && at <= view.to;
  const link = { ...rest, view: isInView ? view : null, at, selected: currentSelection() };
  return { ...TIMELINE, link };
}

/** Every lock at the cursor; `q` finds some of them. */
export function overviewNow(q = ''): OverviewRoute {
  return { ...OVERVIEW, q, ...momentNow() };
}

/** The page of events, or that of one lock, at the cursor and with the selection. */
export function eventsNow(lock = ''): EventsRoute {
  return { ...EVENTS, lock, ...momentNow() };
}

/** The page of a lock at the cursor and with the selection. */
export function lockNow(lock: { name: string; source: string; db: number }): LockRoute {
  return { ...lockRoute(lock), ...momentNow() };
}

/** The timeline where an event is, selected. `lock` shows that lock alone. */
export function timelineAt(event: { seq: number; at: RedisTime }, lock = ''): TimelineRoute {
  const known = currentSelection();
  const selected = known !== null && seqOfId(known) === event.seq ? known : `e${event.seq}`;
  return { ...TIMELINE, link: { ...PLAIN_TIMELINE, lock, at: event.at, selected } };
}

/** The timeline of every lock at the cursor, with nothing hidden. */
export function timelineOfAll(): TimelineRoute {
  return timelineOf('');
}

/** The timeline of one lock at the cursor. */
export function timelineOf(lock: string): TimelineRoute {
  const { link } = timelineNow();
  return { ...TIMELINE, link: { ...link, lock, hidden: [] } };
}

/** Cursor and selection, as pages of locks and events carry them. */
export function momentNow(): { at: RedisTime | null; selected: number | null } {
  const cursor = currentCursor();
  const selection = currentSelection();
  if (cursor.mode === 'live') return { at: null, selected: null };
  return { at: isAtEnd(cursor.at) ? null : cursor.at, selected: selection === null ? null : seqOfId(selection) };
}
