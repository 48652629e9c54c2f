import type { LockColumns, Outline } from '../../../data/window/outline.ts';
import type { TimeSpan } from '../../../data/window/time-span.ts';
import { LOCK_ROW_PX } from '../../layout/metrics.ts';
import type { Scale } from '../../layout/scale.ts';
import type { Palette, Pen } from '../pen/pen.ts';
import { BAR_PX, WAITS_BELOW_PX, WAITS_PX } from './draw-summary.ts';

/** Draws when a lock was held, and below it when a thread waited, in the ranges whose events are not loaded. */
export function drawOutline(
  pen: Pen,
  palette: Palette,
  { outline, lock, parts, scale, top }: OutlineView & { readonly lock: LockColumns; readonly top: number },
): void {
  const mid = top + LOCK_ROW_PX / 2;
  pen.fillStyle = palette.hold;
  for (const [x0, x1] of boxesOf(lock.held, outline, parts, scale)) pen.fillRect(x0, mid - BAR_PX / 2, x1 - x0, BAR_PX);
  pen.fillStyle = palette.wait;
  for (const [x0, x1] of boxesOf(lock.waited, outline, parts, scale)) {
    pen.fillRect(x0, mid + BAR_PX / 2 + WAITS_BELOW_PX, x1 - x0, WAITS_PX);
  }
}

type OutlineView = {
  readonly outline: Outline;
  readonly parts: readonly TimeSpan[];
  readonly scale: Scale;
};

/** The ranges of the columns in pixels, cut to the parts. Each is at least a pixel wide. */
function* boxesOf(
  pairs: readonly number[],
  { from, to, columns }: Outline,
  parts: readonly TimeSpan[],
  scale: Scale,
): Generator<[x0: number, x1: number]> {
  const micros = (to - from) / columns;
  for (const part of parts) {
    const [left, right] = [Math.max(0, scale.x(part.from)), Math.min(scale.width, scale.x(part.to))];
    for (let i = 0; i < pairs.length; i += 2) {
      const [first, count] = [pairs[i] as number, pairs[i + 1] as number]; // i is even and below the length
      const x0 = Math.max(left, scale.x(from + first * micros));
      const x1 = Math.min(right, Math.max(x0 + 1, scale.x(from + (first + count) * micros)));
      if (x0 >= right) break;
      if (x1 > x0) yield [x0, x1];
    }
  }
}
