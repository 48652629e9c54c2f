import type { EventType, LockEvent } from '../../../shared/events/event.ts';
import type { PointMark } from './marks.ts';
import { POINTS, type PointKind } from './point-table.ts';

type PointsOf = (event: LockEvent) => PointMark[];

/** The points of one event: none, one, or one for each holder that lost its hold or permit. */
export function pointsFromEvent(event: LockEvent): PointMark[] {
  return (BY_TYPE.get(event.type) ?? []).flatMap((pointsOf) => pointsOf(event));
}

const BY_TYPE = new Map<EventType, PointsOf[]>();
// the keys of the table are the kinds of points
for (const point of Object.keys(POINTS) as PointKind[]) {
  for (const [type, factsOf] of Object.entries(POINTS[point].of)) {
    // each function gets only events of the type it is listed under
    const factsOfAny = factsOf as (event: LockEvent) => ReturnType<typeof factsOf>;
    const pointsOf: PointsOf = (event) =>
      [factsOfAny(event)].flat().flatMap((each, n) => pointFrom(event, point, each, n));
    BY_TYPE.set(type as EventType, [...(BY_TYPE.get(type as EventType) ?? []), pointsOf]);
  }
}

type Facts = { readonly holder: string | undefined; readonly count?: number | null | undefined };

/** Expired permits of one event may be on the same lane, so their points have different ids. */
function pointFrom(
  { seq, at }: LockEvent,
  point: PointKind,
  { holder, count = null, taken = null }: Facts & { readonly taken?: PointMark['taken'] },
  n: number,
): PointMark[] {
  if (holder === undefined) return [];
  const id = n === 0 || taken !== null ? `e${seq}` : `e${seq}-${n + 1}`;
  return [{ kind: 'point', point, id, seq, holder, at, count, taken }];
}
