import { redisTime } from '../../../shared/base/time.ts';
import type { Span } from './scale.ts';

/** The narrowest view: fine enough to tell microseconds apart. */
export const SHORTEST_MICROS = 200;
/** The widest view: a day. */
export const LONGEST_MICROS = 86_400_000_000;
/** Empty room kept right of now in live mode, as a share of the view. */
export const AHEAD_SHARE = 0.04;

/** The view moved by some microseconds. */
export function panned(view: Span, micros: number): Span {
  const step = Math.round(micros);
  return { from: redisTime(view.from + step), to: redisTime(view.to + step) };
}

/** The view made `factor` times as long, with the instant `anchor` staying where it is on the screen. */
export function zoomedAt(view: Span, anchor: number, factor: number): Span {
  const length = view.to - view.from;
  const next = Math.min(LONGEST_MICROS, Math.max(SHORTEST_MICROS, length * factor));
  const share = (anchor - view.from) / length;
  const from = anchor - share * next;
  return { from: redisTime(Math.round(from)), to: redisTime(Math.round(from + next)) };
}

/** What is shown around all of memory, as a share of it. */
const AIR_SHARE = 0.05;
/** A view that may always be had, however little is remembered: that of a first look. */
const ALWAYS_MICROS = 30_000_000;

/** The view, no wider than what is remembered with a little air, and not away from it. */
export function withinMemory(view: Span, memory: Span): Span {
  const whole = memory.to - memory.from;
  const longest = Math.max(ALWAYS_MICROS, whole * (1 + 2 * AIR_SHARE));
  const length = view.to - view.from;
  const fit = length > longest ? zoomedAt(view, (view.from + view.to) / 2, longest / length) : view;
  // what happened first or last may come to the middle of a short view
  const air = Math.max(whole * AIR_SHARE, Math.min(length, ALWAYS_MICROS) / 2);
  if (fit.from < memory.from - air) return panned(fit, memory.from - air - fit.from);
  return fit.to > memory.to + air ? panned(fit, memory.to + air - fit.to) : fit;
}

/** A view that shows a stretch with some air around it. */
export function fitted(from: number, to: number, airShare = 0.08): Span {
  const length = Math.max(SHORTEST_MICROS, to - from);
  const air = length * airShare;
  const middle = (from + to) / 2;
  return {
    from: redisTime(Math.round(middle - length / 2 - air)),
    to: redisTime(Math.round(middle + length / 2 + air)),
  };
}

/** The same length, with `at` in the middle. */
export function centred(view: Span, at: number): Span {
  return panned(view, at - (view.from + view.to) / 2);
}

/** The view of live mode: it ends a little after now. */
export function liveView(now: number, lengthMicros: number): Span {
  const to = now + lengthMicros * AHEAD_SHARE;
  return { from: redisTime(Math.round(to - lengthMicros)), to: redisTime(Math.round(to)) };
}

/** The view moved as little as needed to show `at` away from its edges. */
export function revealing(view: Span, at: number): Span {
  const air = (view.to - view.from) * 0.1;
  if (at < view.from + air) return panned(view, at - air - view.from);
  if (at > view.to - air) return panned(view, at + air - view.to);
  return view;
}

/** True when the two show the same. */
export function isSameSpan(a: Span | null, b: Span | null): boolean {
  return a === b || (a !== null && b !== null && a.from === b.from && a.to === b.to);
}
