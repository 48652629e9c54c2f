import { type RedisTime, redisTime } from '../../../shared/base/time.ts';
import type { TimeSpan } from '../../data/window/time-span.ts';
import { endOf, type Lane } from '../model/marks.ts';
import { firstThatReaches } from './layout-lane.ts';

/** Ranges without marks are collapsed if they are longer than this share of the view. */
const WORTH_SHARE = 0.1;
/** Space kept at both ends of a collapsed range, as a share of the view. */
const PADDING_SHARE = 0.015;

/** The times of the holds, waits, runs and points of some lanes in a view, in order of their beginning. */
export function busyTimes(lanes: readonly Lane[], view: TimeSpan, now: RedisTime): { from: number; to: number }[] {
  const busy: { from: number; to: number }[] = [];
  for (const { spans, points, runs } of lanes) {
    for (let i = firstThatReaches(spans, view.from); i < spans.length; i++) {
      const span = spans[i];
      if (!span || span.from > view.to) break;
      busy.push({ from: span.from, to: endOf(span, now) });
    }
    for (const { from, to } of runs) if (from <= view.to && to >= view.from) busy.push({ from, to });
    for (const { at } of points) if (at >= view.from && at <= view.to) busy.push({ from: at, to: at });
  }
  return busy.sort((a, b) => a.from - b.from);
}

/**
 * The ranges of a view without any mark, if they are longer than 10 % of the view. Each is shortened by 1.5 % of the
 * view at both ends. `busy`: the times of all marks, in order of `from`.
 */
export function idleSpans(view: TimeSpan, busy: readonly { readonly from: number; readonly to: number }[]): TimeSpan[] {
  const length = view.to - view.from;
  const padding = length * PADDING_SHARE;
  const idle: TimeSpan[] = [];
  const take = (from: number, to: number) => {
    if (to - from > length * WORTH_SHARE) idle.push({ from: redisTime(from + padding), to: redisTime(to - padding) });
  };
  let covered: number = view.from;
  for (const piece of busy) {
    if (piece.to < view.from) continue;
    if (piece.from > view.to) break;
    if (piece.from > covered) take(covered, piece.from);
    covered = Math.max(covered, piece.to);
  }
  if (covered < view.to) take(covered, view.to);
  return idle;
}
