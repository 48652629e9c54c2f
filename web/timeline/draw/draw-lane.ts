import type { LaneItem, PointItem } from '../layout/layout-lane.ts';
import { MID_PX, RENEWAL_PX } from '../layout/metrics.ts';
import type { Scale } from '../layout/scale.ts';
import { isAboveBar } from '../model/point-table.ts';
import { drawDense } from './draw-dense.ts';
import { drawHold } from './draw-hold.ts';
import { drawPoint } from './draw-point.ts';
import { drawRun, drawRunCount } from './draw-run.ts';
import { drawWait } from './draw-wait.ts';
import type { Labels } from './labels.ts';
import type { Palette, Pen } from './pen.ts';

/** Half the width of a point. */
const POINT_PX = 8;

/** Draws everything on one thread's lane; words overlap neither points nor each other. */
export function drawLane(
  pen: Pen,
  palette: Palette,
  items: readonly LaneItem[],
  top: number,
  scale: Scale,
  labels: Labels,
): void {
  const runs = items.filter((item) => item.kind === 'run');
  for (const item of items) {
    if (item.kind === 'point') labels.block(item.x - POINT_PX, item.x + POINT_PX, top + middleOf(item));
    if (item.kind === 'run') labels.block(item.x0, item.x1, top + MID_PX);
  }
  for (const item of items) {
    if (item.kind === 'hold') drawHold(pen, palette, item, top, labels);
    else if (item.kind === 'wait') drawWait(pen, palette, item, top, scale, labels);
    else if (item.kind === 'run') drawRun(pen, palette, item, top, scale);
    else if (item.kind === 'dense') drawDense(pen, palette, item, top);
    else drawPoint(pen, palette, item, top, scale.width, labels);
  }
  runs.forEach((run, n) => {
    drawRunCount(pen, palette, run, top, { width: scale.width, next: runs[n + 1]?.x0 ?? scale.width }, labels);
  });
}

function middleOf({ point }: PointItem): number {
  return isAboveBar(point) ? RENEWAL_PX - 4 : MID_PX;
}
