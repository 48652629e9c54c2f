import type { RunItem } from '../../layout/layout-lane.ts';
import { BOLD_FACTOR, HOLD_PX, labelWidth, MID_PX, WAIT_PX } from '../../layout/metrics.ts';
import type { Scale } from '../../layout/scale.ts';
import type { Labels } from '../pen/labels.ts';
import { labelFont, type Palette, type Pen } from '../pen/pen.ts';
import { barOfHeight, type LaneMark } from './lane-mark.ts';

/** A dense run of attempts, with their number. */
export const RUN: LaneMark<RunItem> = {
  draw: (item, { pen, palette, top, scale }) => drawRun(pen, palette, item, top, scale),
  drawWords: (item, { pen, palette, top, scale, nextX, labels }) =>
    drawRunCount(pen, palette, item, top, { width: scale.width, next: nextX }, labels),
  blocks: ({ x0, x1 }) => ({ x0, x1, y: MID_PX }),
  ...barOfHeight(() => HOLD_PX),
};

const TOOTH_PX = 4;
/** A comb needs this width; a narrower run is one thick tooth. */
const COMB_FROM_PX = 8;
const HEIGHT_PX = WAIT_PX + 8;

/** Draws a dense run of attempts as a comb, as long as the run. */
function drawRun(pen: Pen, palette: Palette, item: RunItem, top: number, scale: Scale): void {
  const y = top + MID_PX - HEIGHT_PX / 2;
  const x0 = Math.max(-TOOTH_PX, item.x0);
  const x1 = Math.min(scale.width + TOOTH_PX, item.x1);
  if (x1 - x0 < COMB_FROM_PX) {
    pen.fillStyle = palette.page;
    pen.fillRect(x0 - 2, y - 1, Math.max(4, x1 - x0) + 4, HEIGHT_PX + 2);
    pen.fillStyle = palette.wait;
    pen.fillRect(x0, y, Math.max(4, x1 - x0), HEIGHT_PX);
  } else {
    pen.fillStyle = palette.page;
    pen.fillRect(x0, y, x1 - x0, HEIGHT_PX);
    pen.fillStyle = palette.wait;
    pen.fillRect(x0, y, x1 - x0, 2);
    for (let x = Math.ceil(x0 / TOOTH_PX) * TOOTH_PX; x < x1; x += TOOTH_PX) pen.fillRect(x, y, 2, HEIGHT_PX);
  }
}

/**
 * Draws the number of attempts: in the comb if there is room, otherwise before it, or after it and before the next run.
 */
function drawRunCount(
  pen: Pen,
  palette: Palette,
  item: RunItem,
  top: number,
  { width, next }: { width: number; next: number },
  labels: Labels,
): void {
  const y = top + MID_PX;
  const left = Math.max(0, item.x0) + 6;
  const plate = palette.labelPx + 4;
  const text = palette.words.marks.label.asked(item.count);
  const length = labelWidth(text, palette.labelPx) * BOLD_FACTOR + 8;
  const isInside = left + length <= Math.min(width, item.x1) - 4;
  const before = item.x0 - 6 - length;
  const x = isInside
    ? left
    : ((before > 0 ? labels.place(before, before + length, length, y) : null) ??
      (item.x1 + 6 + length > next ? null : labels.place(item.x1 + 6, next, length, y)));
  if (x === null) return;
  pen.fillStyle = palette.page;
  pen.fillRect(x - 2, y - plate / 2, length, plate);
  pen.font = labelFont(palette, 600);
  pen.textAlign = 'left';
  pen.textBaseline = 'middle';
  pen.fillStyle = palette.ink;
  pen.fillText(text, x + 2, y + 0.5);
}
