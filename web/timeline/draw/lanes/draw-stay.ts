import type { QueueStay } from '../../../../shared/spans/queue-places.ts';
import type { WaitItem } from '../../layout/layout-lane.ts';
import { labelWidth, WAIT_PX } from '../../layout/metrics.ts';
import type { Scale } from '../../layout/scale.ts';
import { labelFont } from '../pen/pen.ts';
import type { Brush } from './lane-mark.ts';

/** Keeps words off the ticks where the place in the queue changes. */
export function blockPlaces({ places }: QueueStay, y: number, { scale, labels }: Brush): void {
  for (const { at } of places.slice(1)) {
    const x = scale.x(at);
    if (x >= 0 && x <= scale.width) labels.block(x - 2, x + 2, y + WAIT_PX / 2);
  }
}

/**
 * Draws a stay in a fair lock's queue: a tick and the place wherever the place changes. A dotted line shows how long
 * the waiter would keep the place, or kept it after its wait.
 *
 *   |▨▨▨ 3rd ▨▨▨|2nd ▨▨▨|1st ▨▨▨|. . . . . . .|
 *                                             deadline
 */
export function drawStay(item: WaitItem, stay: QueueStay, y: number, brush: Brush): void {
  const { pen, palette, scale } = brush;
  for (let n = 0; n < stay.places.length; n++) {
    const place = stay.places[n];
    const next = stay.places[n + 1];
    if (!place || place.at > scale.span.to || (next && next.at < scale.span.from)) continue;
    const x = scale.x(place.at);
    if (n > 0 && x >= item.x0) {
      pen.fillStyle = palette.ink;
      pen.fillRect(Math.round(x) - 1, y - 1, 2, WAIT_PX + 2);
    }
    const right = Math.min(scale.width, item.x1, next ? scale.x(next.at) : item.x1) - 4;
    drawPlace(place.position, Math.max(0, x) + 5, right, y, brush);
  }
  drawKept(item, stay, y, brush);
}

function drawPlace(position: number, left: number, right: number, y: number, { pen, palette, labels }: Brush): void {
  for (const text of palette.words.marks.label.place(position)) {
    const width = labelWidth(text, palette.labelPx) + 6;
    const x = labels.place(left, right, width, y + WAIT_PX / 2);
    if (x === null) continue;
    pen.fillStyle = palette.page;
    const high = Math.max(WAIT_PX - 3, palette.labelPx - 1);
    pen.fillRect(x - 1, y + (WAIT_PX - high) / 2, width, high);
    pen.font = labelFont(palette);
    pen.textAlign = 'left';
    pen.textBaseline = 'middle';
    pen.fillStyle = palette.ink;
    pen.fillText(text, x + 2, y + WAIT_PX / 2 + 0.5);
    return;
  }
}

/** The x at which the dotted line of a kept place ends; without a kept place, the end of the wait. */
export function endOfStay(item: WaitItem, stay: QueueStay, scale: Scale): number {
  const until = stay.leftAt ?? stay.deadline;
  if (until === null || (item.mark.to !== null && item.mark.ended !== 'presumed-gone')) return item.x1;
  return Math.max(item.x1, Math.min(scale.width + 4, scale.x(until)));
}

/** If no client evicts a dead waiter, its place outlives its wait and blocks the waiters behind it. */
function drawKept(item: WaitItem, stay: QueueStay, y: number, { pen, palette, scale, labels }: Brush): void {
  const x1 = endOfStay(item, stay, scale);
  if (item.x1 < 0 || x1 - item.x1 < 6 || item.x1 >= labels.end) return;
  const middle = Math.round(y + WAIT_PX / 2);
  pen.fillStyle = palette.wait;
  for (let x = item.x1 + 4; x < x1 - 3; x += 7) pen.fillRect(x, middle - 1, 3, 2);
  pen.fillRect(x1 - 2, y - 1, 2, WAIT_PX + 2);
}
