import type { RedisTime } from '../../../shared/base/time.ts';
import { causeOf, effectOf } from './causes.ts';
import { endOf, type Mark, marksInOrder, startOf, type Track } from './marks.ts';

type Range = { readonly from: number; readonly to: number };

/**
 * The range that shows a mark: from its start to its end. An instant has no length, so it is shown with its cause and
 * its effect. If neither is at another instant, it is shown with the marks beside it on its lane.
 *
 *   A   ───────◆            the release and the acquisition it caused, 0.3 ms later
 *   B   ▨▨▨▨▨▨▨▨▨┃──────
 */
export function fitOf(track: Track, mark: Mark, now: RedisTime): Range {
  const at = startOf(mark);
  const end = endOf(mark, now);
  if (end > at) return { from: at, to: end };
  const linked = [causeOf(track, mark), effectOf(track, mark)].flatMap((other) =>
    other ? [nearestEdge(other, at, now)] : [],
  );
  const near = linked.some((instant) => instant !== at) ? linked : besideOnLane(track, mark, now);
  return { from: Math.min(at, ...near), to: Math.max(at, ...near) };
}

/** The start or end of a mark, whichever is nearer to an instant. */
function nearestEdge(mark: Mark, at: number, now: RedisTime): number {
  const [start, end] = [startOf(mark), endOf(mark, now)];
  return Math.abs(start - at) <= Math.abs(end - at) ? start : end;
}

/** The nearest edges of other marks on the lane, before and after the mark. */
function besideOnLane(track: Track, mark: Mark, now: RedisTime): number[] {
  const at = startOf(mark);
  const lane = track.lanes.find(({ holder }) => holder === mark.holder);
  const edges = lane ? marksInOrder(lane).flatMap((other) => [startOf(other), endOf(other, now)]) : [];
  const before = edges.reduce((best, edge) => (edge < at ? Math.max(best, edge) : best), Number.NEGATIVE_INFINITY);
  const after = edges.reduce((best, edge) => (edge > at ? Math.min(best, edge) : best), Number.POSITIVE_INFINITY);
  return [before, after].filter(Number.isFinite);
}
