import { firstFrom } from '../../../shared/base/search.ts';
import type { RedisTime } from '../../../shared/base/time.ts';
import { hasDroppedIn } from '../../data/window/drops.ts';
import type { EventWindow } from '../../data/window/event-window.ts';
import { isOutlined } from '../../data/window/outline.ts';
import type { TimeSpan } from '../../data/window/time-span.ts';
import type { LockTracks } from '../model/lock-tracks.ts';
import { endOf, type Lane } from '../model/marks.ts';
import { isAboveBar } from '../model/point-table.ts';
import { firstThatReaches } from './layout-lane.ts';

type Shown = { readonly window: EventWindow; readonly tracks: LockTracks };

/** Whether a view shows anything of a lock: its outline, an event, a drop, or a hold or wait. */
export function isInView({ window, tracks }: Shown, id: string, view: TimeSpan, now: RedisTime): boolean {
  if (window.outline && isOutlined(window.outline, id, view)) return true;
  const events = window.eventsOf(id);
  const next = events[firstFrom(events, view.from, (event) => event.at)];
  if (next && next.at <= view.to) return true;
  if (hasDroppedIn(window, [id], view, now)) return true;
  return (tracks.get(id, Date.now())?.lanes ?? []).some(({ spans }) => hasSpanIn(spans, view, now));
}

/** Whether a view shows any mark of a lane. */
export function isLaneInView({ spans, points, runs }: Lane, view: TimeSpan, now: RedisTime): boolean {
  const point = points[firstFrom(points, view.from, ({ at }) => at)];
  if (point && point.at <= view.to) return true;
  return hasSpanIn(spans, view, now) || runs.some((run) => run.to >= view.from && run.from <= view.to);
}

/** Whether a view shows a hold of a lane, or a renewal, also a refused one. */
export function hasHoldInView({ spans, points }: Lane, view: TimeSpan, now: RedisTime): boolean {
  for (let i = firstThatReaches(spans, view.from); i < spans.length; i++) {
    const span = spans[i];
    if (!span || span.from > view.to) break;
    if (span.kind === 'hold' && endOf(span, now) >= view.from) return true;
  }
  for (let i = firstFrom(points, view.from, ({ at }) => at); i < points.length; i++) {
    const point = points[i];
    if (!point || point.at > view.to) return false;
    if (isAboveBar(point.point)) return true;
  }
  return false;
}

function hasSpanIn(spans: Lane['spans'], view: TimeSpan, now: RedisTime): boolean {
  for (let i = firstThatReaches(spans, view.from); i < spans.length; i++) {
    const span = spans[i];
    if (!span || span.from > view.to) return false;
    if (endOf(span, now) >= view.from) return true;
  }
  return false;
}
