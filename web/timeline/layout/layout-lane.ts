import { firstFrom } from '../../../shared/base/search.ts';
import { type RedisTime, redisTime } from '../../../shared/base/time.ts';
import { type GoneSince, isClientGone, orphanedFrom } from '../../../shared/insights/renewals.ts';
import {
  endOf,
  type HoldMark,
  type Lane,
  type PointMark,
  type RunMark,
  type SpanMark,
  type WaitMark,
} from '../model/marks.ts';
import type { PointKind } from '../model/point-table.ts';
import { CLOSE_PX, CROWD_PX, DENSE_PX, NARROW_PX } from './metrics.ts';
import type { Scale } from './scale.ts';

type Box = { readonly x0: number; readonly x1: number };

export type HoldItem = Box & {
  readonly kind: 'hold';
  readonly mark: HoldMark;
  /** Left edge of the orphaned part; null: the hold is not orphaned. */
  readonly tornX: number | null;
  readonly isClientGone: boolean;
  /** Ranges with a hold count above one; for permits without ids, each range with its number of permits. */
  readonly stripes: readonly (Box & { readonly count: number })[];
  /** Ranges in which another thread works too. */
  readonly together: readonly Box[];
  readonly hasStart: boolean;
  readonly hasEnd: boolean;
  /** Set for a read during the thread's own write: up to here the read is drawn over that bar. */
  readonly overOwnX: number | null;
};
export type WaitItem = Box & {
  readonly kind: 'wait';
  readonly mark: WaitMark;
  readonly hasStart: boolean;
  readonly hasEnd: boolean;
};
/** A dense run of attempts, as one mark with their count. */
export type RunItem = Box & { readonly kind: 'run'; readonly mark: RunMark; readonly count: number };
/** Several spans, too narrow to be drawn one by one. */
export type DenseItem = Box & {
  readonly kind: 'dense';
  readonly of: 'hold' | 'wait';
  readonly mark: SpanMark;
  readonly count: number;
  /** Share of the pixels covered by spans, for the tint. */
  readonly share: number;
};
export type PointItem = {
  readonly kind: 'point';
  readonly point: PointKind;
  readonly mark: PointMark;
  readonly x: number;
  /** How many marks share this drawn mark. */
  readonly count: number;
};
export type LaneItem = HoldItem | WaitItem | RunItem | DenseItem | PointItem;

type LaneView = { readonly scale: Scale; readonly now: RedisTime; readonly goneSince: GoneSince };

/**
 * The items of one lane in a view: spans, then runs, then points.
 *
 *   spans  |=| |=||=||=|=|   |=======|        too narrow  ──▶  |▒▒▒▒ ×5|   |=======|
 *
 * Marks outside the view are skipped. A mark on the place of another mark is counted there instead of being drawn.
 */
export function layoutLane(lane: Lane, view: LaneView): LaneItem[] {
  const items: LaneItem[] = [];
  layoutSpans(lane.spans, view, items);
  layoutRuns(lane.runs, view.scale, items);
  layoutPoints(lane.points, view.scale, items);
  return items;
}

type Dense = { x0: number; x1: number; cell: number; mark: SpanMark; count: number; covered: number };

/**
 * Narrow spans of one kind in the same cell of time become one mark. Cells are fixed in time, so that the picture does
 * not flicker while it moves. Alternating holds and waits become marks of both kinds.
 *
 *   cell        |       |       |       |
 *   spans       ‖▨‖▨‖▨‖▨‖▨‖▨ ‖ ▨         ──▶   holds |▒▒▒▒▒▒▒|▒▒▒▒▒▒|    waits |▒▒▒▒▒▒▒|▒▒▒▒▒|
 */
function layoutSpans(spans: readonly SpanMark[], view: LaneView, items: LaneItem[]): void {
  const { scale, now } = view;
  const { from, to } = scale.span;
  const perCell = scale.pxPerMicro / DENSE_PX;
  const open: Record<SpanMark['kind'], Dense | null> = { hold: null, wait: null };
  /** When the last wide write hold of this lane ends. */
  let ownTo = Number.NEGATIVE_INFINITY;
  const flush = (of: SpanMark['kind']) => {
    const dense = open[of];
    if (!dense) return;
    const { x0, x1, mark, count, covered } = dense;
    if (count === 1) items.push(spanItem(mark, view, ownTo));
    else items.push({ kind: 'dense', of, x0, x1, mark, count, share: Math.min(1, covered / Math.max(1, x1 - x0)) });
    open[of] = null;
  };
  for (let i = firstThatReaches(spans, from); i < spans.length; i++) {
    const mark = spans[i] as SpanMark; // i is below the length
    if (mark.from > to) break;
    const end = endOf(mark, now);
    if (end < from) continue;
    const x0 = scale.x(mark.from);
    const width = scale.x(end) - x0;
    if (width >= NARROW_PX) {
      flush('hold');
      flush('wait');
      items.push(spanItem(mark, view, ownTo));
      if (mark.kind === 'hold' && mark.mode === 'write') ownTo = end;
      continue;
    }
    const cell = Math.floor(mark.from * perCell);
    const x1 = x0 + Math.max(1, width);
    const dense = open[mark.kind];
    if (dense && dense.cell === cell && x0 - dense.x1 < DENSE_PX) {
      dense.x1 = Math.max(dense.x1, x1);
      dense.count++;
      dense.covered += width;
    } else {
      flush(mark.kind);
      open[mark.kind] = { x0, x1, cell, mark, count: 1, covered: width };
    }
  }
  flush('hold');
  flush('wait');
}

/** The most spans to go back, past reads, waits and permits, to find a span that reaches into the view. */
const MOST_WITHIN = 200;

/**
 * Index of the first span that may reach into the view: usually the span before the first that begins in the view.
 * During a write hold or a permit the thread may have had many reads or other permits; these are stepped over.
 */
export function firstThatReaches(spans: readonly SpanMark[], from: RedisTime): number {
  const inside = firstFrom(spans, from, (span) => span.from);
  const isBeside = (mark: SpanMark | undefined) =>
    mark?.kind === 'wait' || (mark?.kind === 'hold' && (mark.mode === 'read' || mark.permit !== null));
  let first = Math.max(0, inside - 1);
  while (first > 0 && isBeside(spans[first]) && inside - first < MOST_WITHIN) first--;
  return first;
}

/** Runs do not overlap, so only the last run that began before the view may reach into it. */
function layoutRuns(runs: readonly RunMark[], scale: Scale, items: LaneItem[]): void {
  const { from, to } = scale.span;
  for (let i = Math.max(0, firstFrom(runs, from, (run) => run.from) - 1); i < runs.length; i++) {
    const mark = runs[i] as RunMark; // i is below the length
    if (mark.from > to) break;
    if (mark.to < from) continue;
    const x0 = clipped(scale.x(mark.from), scale);
    items.push({ kind: 'run', mark, x0, x1: Math.max(x0 + 1, clipped(scale.x(mark.to), scale)), count: mark.attempts });
  }
}

/** Limits `x` to 60 px beyond the edges: what lies further out is not visible anyway. */
function clipped(x: number, scale: Scale): number {
  return Math.min(scale.width + 60, Math.max(-60, x));
}

function spanItem(mark: SpanMark, view: LaneView, ownTo: number): HoldItem | WaitItem {
  const { scale, now } = view;
  const end = endOf(mark, now);
  const clip = (x: number) => clipped(x, scale);
  const x0 = clip(scale.x(mark.from));
  const x1 = Math.max(x0 + 1, clip(scale.x(end)));
  const hasStart = mark.from >= scale.span.from && !mark.isOpenStart;
  const hasEnd = mark.to !== null && mark.to <= scale.span.to;
  if (mark.kind === 'wait') return { kind: 'wait', mark, x0, x1, hasStart, hasEnd };
  const torn = orphanedFrom(mark, now, view.goneSince);
  return {
    kind: 'hold',
    mark,
    x0,
    x1,
    hasStart,
    hasEnd,
    tornX: torn === null ? null : Math.max(x0, clip(scale.x(torn))),
    isClientGone: torn !== null && isClientGone(mark, now, view.goneSince),
    stripes: stripesOf(mark, end, scale, clip),
    together: (mark.together ?? []).map(({ from, to }) => ({ x0: clip(scale.x(from)), x1: clip(scale.x(to ?? end)) })),
    overOwnX: mark.mode === 'read' && mark.from < ownTo ? Math.min(x1, clip(scale.x(ownTo))) : null,
  };
}

function stripesOf(mark: HoldMark, end: RedisTime, scale: Scale, clip: (x: number) => number) {
  const fewest = mark.mode === 'permit' ? 1 : 2;
  if (mark.deepest < fewest || mark.permit !== null) return [];
  return mark.levels.flatMap((level, index) => {
    if (level.count < fewest) return [];
    const to = mark.levels[index + 1]?.at ?? end;
    return [{ x0: clip(scale.x(level.at)), x1: clip(scale.x(to)), count: level.count }];
  });
}

function layoutPoints(points: readonly PointMark[], scale: Scale, items: LaneItem[]): void {
  type Last = { x: number; cell: number; count: number; kind: 'point'; point: PointKind; mark: PointMark };
  const last = new Map<PointKind, Last>();
  const margin = 20 / scale.pxPerMicro;
  const perCell = scale.pxPerMicro / CROWD_PX;
  const start = firstFrom(points, redisTime(scale.span.from - margin), (point) => point.at);
  for (let i = start; i < points.length; i++) {
    const mark = points[i] as PointMark; // i is below the length
    if (mark.at > scale.span.to + margin) break;
    const before = last.get(mark.point);
    const cell = Math.floor(mark.at * perCell);
    const x = scale.x(mark.at);
    // close points share a mark, crowded points share a mark per cell; cells are fixed in time, so marks do not flicker
    if (before && (x - before.x < CLOSE_PX || (before.cell === cell && x - before.x < CROWD_PX))) {
      before.count++;
      continue;
    }
    const item = { kind: 'point' as const, point: mark.point, mark, x, cell, count: 1 };
    last.set(mark.point, item);
    items.push(item);
  }
}
