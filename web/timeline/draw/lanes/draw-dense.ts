import type { DenseItem } from '../../layout/layout-lane.ts';
import { HOLD_PX, MID_PX, WAIT_PX } from '../../layout/metrics.ts';
import type { Palette, Pen } from '../pen/pen.ts';
import { barOfHeight, type LaneMark } from './lane-mark.ts';

/** Many narrow spans as one mark. */
export const DENSE: LaneMark<DenseItem> = {
  draw: (item, { pen, palette, top }) => drawDense(pen, palette, item, top),
  ...barOfHeight(({ of }) => (of === 'hold' ? HOLD_PX : WAIT_PX)),
};

/** Draws many narrow spans as one mark; the more of it they cover, the stronger its colour. */
function drawDense(pen: Pen, palette: Palette, item: DenseItem, top: number): void {
  const height = item.of === 'hold' ? HOLD_PX : WAIT_PX;
  const y = top + MID_PX - height / 2;
  const width = Math.max(1, item.x1 - item.x0);
  pen.fillStyle = item.of === 'hold' ? palette.hold : palette.wait;
  pen.globalAlpha = 0.3 + 0.7 * item.share;
  pen.fillRect(item.x0, y, width, height);
  pen.globalAlpha = 1;
  if (item.of === 'wait') return;
  // a line through the middle distinguishes a dense mark from one long hold
  pen.fillStyle = palette.page;
  pen.fillRect(item.x0, top + MID_PX - 0.5, width, 1);
}
