import { firstFrom } from '../../../shared/base/search.ts';
import type { RedisTime } from '../../../shared/base/time.ts';
import { countedBy } from '../../../shared/events/kinds/kinds.ts';
import { LOCK_ROW_PX } from '../layout/metrics.ts';
import type { Scale } from '../layout/scale.ts';
import type { Track } from '../model/marks.ts';
import type { Palette, Pen } from './pen.ts';

/**
 * Draws a folded lock in one line: a bar for each hold, a thinner bar below for each wait, and a cross where a lease
 * expired.
 */
export function drawSummary(pen: Pen, palette: Palette, track: Track, top: number, scale: Scale, now: RedisTime): void {
  const mid = top + LOCK_ROW_PX / 2;
  if (countedBy(track.kind) === 'latch') drawLatch(pen, palette, track, mid, scale, now);
  for (const lane of track.lanes) {
    let lastHold = Number.NEGATIVE_INFINITY;
    let lastWait = Number.NEGATIVE_INFINITY;
    for (
      let i = Math.max(0, firstFrom(lane.spans, scale.span.from, (span) => span.from) - 1);
      i < lane.spans.length;
      i++
    ) {
      const span = lane.spans[i];
      if (!span || span.from > scale.span.to) break;
      const x0 = Math.max(-2, scale.x(span.from));
      const x1 = Math.min(scale.width + 2, Math.max(x0 + 1, scale.x(span.to ?? now)));
      if (x1 < 0) continue;
      if (span.kind === 'hold') {
        if (x1 - lastHold < 1) continue;
        lastHold = x1;
        pen.fillStyle = palette.hold;
        pen.fillRect(x0, mid - 5, x1 - x0, 8);
      } else {
        if (x1 - lastWait < 1) continue;
        lastWait = x1;
        pen.fillStyle = palette.wait;
        pen.fillRect(x0, mid + 5, x1 - x0, 3);
      }
    }
    for (const point of lane.points) {
      if (point.point !== 'expired' || point.at < scale.span.from || point.at > scale.span.to) continue;
      const x = scale.x(point.at);
      pen.strokeStyle = palette.lost;
      pen.lineWidth = 2;
      pen.beginPath();
      pen.moveTo(x - 4, mid - 5);
      pen.lineTo(x + 4, mid + 3);
      pen.moveTo(x + 4, mid - 5);
      pen.lineTo(x - 4, mid + 3);
      pen.stroke();
    }
  }
}

/** A latch is closed until it has counted to zero. */
function drawLatch(pen: Pen, palette: Palette, { counter }: Track, mid: number, scale: Scale, now: RedisTime): void {
  pen.fillStyle = palette.hold;
  for (let i = Math.max(0, firstFrom(counter, scale.span.from, ({ at }) => at) - 1); i < counter.length; i++) {
    const step = counter[i];
    if (!step || step.at > scale.span.to) break;
    if (!step.count) continue;
    const x0 = Math.max(-2, scale.x(step.at));
    const x1 = Math.min(scale.width + 2, scale.x(counter[i + 1]?.at ?? now));
    if (x1 > x0) pen.fillRect(x0, mid - 5, Math.max(1, x1 - x0), 8);
  }
}
