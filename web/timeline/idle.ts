import { redisTime } from '../../shared/base/time.ts';
import type { Span } from './scale.ts';

/** Stretches longer than this share of the view are worth collapsing. */
const WORTH_SHARE = 0.1;
/** Air left around marks at both ends of a collapsed stretch. */
const AIR_SHARE = 0.015;

/**
 * The stretches of a view without any mark, given the instants of all marks and the spans that cover time.
 * `busy` must be in order of `from`.
 */
export function idleSpans(view: Span, busy: readonly { readonly from: number; readonly to: number }[]): Span[] {
  const length = view.to - view.from;
  const air = length * AIR_SHARE;
  const idle: Span[] = [];
  const take = (from: number, to: number) => {
    if (to - from > length * WORTH_SHARE) idle.push({ from: redisTime(from + air), to: redisTime(to - air) });
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
