import type { RedisTime } from '../../shared/base/time.ts';
import { type Moment, seqOfId } from '../url/moment.ts';
import { isAtEnd } from '../url/origin.ts';
import { type ChosenRange, isSpan, type LinkSpan } from '../url/range.ts';
import {
  type ClientsRoute,
  EVENTS,
  type EventsRoute,
  type GraphRoute,
  type LockRoute,
  lockRoute,
  OVERVIEW,
  type OverviewRoute,
  TIMELINE,
  type TimelineRoute,
  type WaitsRoute,
} from '../url/route.ts';
import { PLAIN_TIMELINE, type TimelineLink } from '../url/timeline-link.ts';
import { currentCursor } from './cursor.ts';
import { currentRange } from './range.ts';
import { currentSelection } from './selection.ts';

let lastTimeline: TimelineLink = PLAIN_TIMELINE;

/** Remembers what the timeline showed, so that links to it can restore it. */
export function rememberTimeline(link: TimelineLink): void {
  lastTimeline = link;
}

/** The route to the timeline as the user left it, with the current cursor and selection. */
export function timelineNow(): TimelineRoute {
  const cursor = currentCursor();
  const { view, ...rest } = lastTimeline;
  const range = currentRange();
  if (cursor.mode === 'live') {
    const minutes = isSpan(range) ? null : range;
    return { ...TIMELINE, link: { ...rest, view: null, minutes, zooms: [], at: null, selected: null } };
  }
  const { at } = cursor;
  const chosen = isSpan(range) ? range : null;
  const shown = [view, chosen].find((span) => span && span.from <= at && at <= span.to) ?? null;
  const link = { ...rest, view: shown, minutes: null, at, selected: currentSelection() };
  return { ...TIMELINE, link };
}

/** The route to the overview at the cursor; `q` is the text of the find box. */
export function overviewNow(q = ''): OverviewRoute {
  return { ...OVERVIEW, q, ...momentNow() };
}

/** The route to the events page with cursor and selection; `lock` filters by the whole name of a lock. */
export function eventsNow(lock = ''): EventsRoute {
  return { ...EVENTS, lock, ...momentNow() };
}

/** The route to the graph of waiting threads at the cursor. */
export function graphNow(): GraphRoute {
  return { page: 'graph', ...momentNow() };
}

/** The route to the Waits page: for the given range, or else for the chosen one. */
export function waitsNow(range?: LinkSpan): WaitsRoute {
  return { page: 'waits', compared: null, ...momentNow(), ...(range ? { range } : {}) };
}

/** The route to the list of clients at the cursor, or to one client of a source. */
export function clientsNow(chosen: { client: string; source: string } | null = null): ClientsRoute {
  return { page: 'clients', client: chosen?.client ?? null, source: chosen?.source ?? null, ...momentNow() };
}

/** The route to the page of a lock with cursor and selection. */
export function lockNow(lock: { name: string; source: string; db: number }): LockRoute {
  return { ...lockRoute(lock), ...momentNow() };
}

/**
 * The route to the timeline at an event. The event is selected, or the mark that begins with it if that was selected
 * before. With `lock`, only that lock is shown.
 */
export function timelineAt(event: { seq: number; at: RedisTime }, lock = ''): TimelineRoute {
  const known = currentSelection();
  const selected = known !== null && seqOfId(known) === event.seq ? known : `e${event.seq}`;
  return { ...TIMELINE, link: { ...PLAIN_TIMELINE, lock, at: event.at, selected } };
}

/** The route to the timeline of a range. */
export function timelineIn(view: LinkSpan): TimelineRoute {
  return { ...TIMELINE, link: { ...PLAIN_TIMELINE, view, at: view.to } };
}

/** The route to the timeline of all locks at the cursor, with no lock hidden. */
export function timelineOfAll(): TimelineRoute {
  return timelineOf('');
}

/** The route to the timeline of one lock at the cursor, with no lock hidden. Empty: of all locks. */
export function timelineOf(lock: string): TimelineRoute {
  const { link } = timelineNow();
  return { ...TIMELINE, link: { ...link, lock, hidden: [] } };
}

/** Cursor, selection and range as the routes of all pages but the timeline carry them. */
export function momentNow(): Moment {
  const cursor = currentCursor();
  const selection = currentSelection();
  const range = rangeNow();
  if (cursor.mode === 'live') return { at: null, selected: null, ...range };
  const at = isAtEnd(cursor.at) ? null : cursor.at;
  return { at, selected: selection === null ? null : seqOfId(selection), ...range };
}

function rangeNow(): { range?: ChosenRange } {
  const range = currentRange();
  return range === null ? {} : { range };
}
