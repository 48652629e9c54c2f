import { redisTime } from '../../../shared/base/time.ts';
import type { TimeSpan } from '../../data/window/time-span.ts';

/** The shortest view: microseconds are visible. */
export const SHORTEST_MICROS = 200;
/** The longest view: a day. */
const LONGEST_MICROS = 86_400_000_000;
/** Empty space to the right of now in live mode, as a share of the view. */
export const AHEAD_SHARE = 0.04;

/** The view moved by some microseconds. */
export function panned(view: TimeSpan, micros: number): TimeSpan {
  const step = Math.round(micros);
  return { from: redisTime(view.from + step), to: redisTime(view.to + step) };
}

/** The view made `factor` times as long; the instant `anchor` stays where it is on the screen. */
export function zoomedAt(view: TimeSpan, anchor: number, factor: number): TimeSpan {
  const length = view.to - view.from;
  const next = Math.min(LONGEST_MICROS, Math.max(SHORTEST_MICROS, length * factor));
  const share = (anchor - view.from) / length;
  const from = anchor - share * next;
  return { from: redisTime(Math.round(from)), to: redisTime(Math.round(from + next)) };
}

/** Space shown before and after all of memory, as a share of it. */
const PADDING_SHARE = 0.05;
/** A view of this length is always allowed, even if memory is shorter: 30 s, the length of the first view. */
const ALLOWED_MICROS = 30_000_000;

/** The view, limited to what is in memory and a little space around it. */
export function withinMemory(view: TimeSpan, memory: TimeSpan): TimeSpan {
  const whole = memory.to - memory.from;
  const longest = Math.max(ALLOWED_MICROS, whole * (1 + 2 * PADDING_SHARE));
  const length = view.to - view.from;
  const fit = length > longest ? zoomedAt(view, (view.from + view.to) / 2, longest / length) : view;
  // the first or last event may be in the middle of a short view
  const padding = Math.max(whole * PADDING_SHARE, Math.min(length, ALLOWED_MICROS) / 2);
  if (fit.from < memory.from - padding) return panned(fit, memory.from - padding - fit.from);
  return fit.to > memory.to + padding ? panned(fit, memory.to + padding - fit.to) : fit;
}

/** A view that shows a range with some space around it. */
export function fitted(from: number, to: number, paddingShare = 0.08): TimeSpan {
  const length = Math.max(SHORTEST_MICROS, to - from);
  const padding = length * paddingShare;
  const middle = (from + to) / 2;
  return {
    from: redisTime(Math.round(middle - length / 2 - padding)),
    to: redisTime(Math.round(middle + length / 2 + padding)),
  };
}

/** The same length, with `at` in the middle. */
export function centred(view: TimeSpan, at: number): TimeSpan {
  return panned(view, at - (view.from + view.to) / 2);
}

/** The view of live mode: it ends a little after now. */
export function liveView(now: number, lengthMicros: number): TimeSpan {
  const to = now + lengthMicros * AHEAD_SHARE;
  return { from: redisTime(Math.round(to - lengthMicros)), to: redisTime(Math.round(to)) };
}

/** The view, moved just far enough that `at` is at least 10 % from each edge. */
export function revealing(view: TimeSpan, at: number): TimeSpan {
  const padding = (view.to - view.from) * 0.1;
  if (at < view.from + padding) return panned(view, at - padding - view.from);
  if (at > view.to - padding) return panned(view, at + padding - view.to);
  return view;
}

/** Whether the two ranges are equal, or both null. */
export function isSameSpan(a: TimeSpan | null, b: TimeSpan | null): boolean {
  return a === b || (a !== null && b !== null && a.from === b.from && a.to === b.to);
}
