import { type RedisTime, redisTime } from '../../shared/base/time.ts';
import { type ChosenRange, isSpan } from '../url/range.ts';
import type {
  ClientsRoute,
  EventsRoute,
  GraphRoute,
  LockRoute,
  OverviewRoute,
  Route,
  TimelineRoute,
  WaitsRoute,
} from '../url/route.ts';

/** The pages that show an instant or a range. */
export type RangedRoute =
  | OverviewRoute
  | TimelineRoute
  | LockRoute
  | EventsRoute
  | GraphRoute
  | WaitsRoute
  | ClientsRoute;

/** Whether a page shows an instant or a range. */
export function isRanged(route: Route): route is RangedRoute {
  return route.page === 'timeline' || 'at' in route;
}

/** The range of a page that the user chose; null: none. */
export function rangeOf(route: RangedRoute): ChosenRange | null {
  if (route.page === 'timeline') return route.link.view ?? route.link.minutes;
  return route.range ?? null;
}

/**
 * The same page with another range.
 *
 * - With a range between two instants, the cursor goes to its end, but not beyond `now`: pages of one instant show the
 *   end.
 * - With the last minutes, the cursor stays where it is. After a range between two instants, and on the timeline, it
 *   follows now.
 */
export function withRange(route: RangedRoute, range: ChosenRange | null, now: number): RangedRoute {
  const end = isSpan(range) ? redisTime(Math.min(range.to, now)) : null;
  if (route.page === 'timeline') return { ...route, link: { ...route.link, ...timelineView(range, end) } };
  const { range: before, ...rest } = route;
  const at = end ?? (isSpan(before) ? null : route.at);
  return { ...rest, ...(range === null ? {} : { range }), at } as RangedRoute;
}

function timelineView(range: ChosenRange | null, at: RedisTime | null) {
  const plain = { zooms: [], selected: null };
  if (isSpan(range)) return { ...plain, view: range, minutes: null, at };
  return { ...plain, view: null, minutes: range, at: null };
}
