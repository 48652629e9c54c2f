import type { LaneItem } from '../../layout/layout-lane.ts';
import type { Scale } from '../../layout/scale.ts';
import type { Labels } from '../pen/labels.ts';
import type { Palette, Pen } from '../pen/pen.ts';
import { laneMarkOf } from './lane-marks.ts';

/** Draws everything on one thread's lane; words overlap neither points nor each other. */
export function drawLane(
  pen: Pen,
  palette: Palette,
  items: readonly LaneItem[],
  top: number,
  scale: Scale,
  labels: Labels,
): void {
  for (const item of items) {
    const blocked = laneMarkOf(item).blocks?.(item);
    if (blocked) labels.block(blocked.x0, blocked.x1, top + blocked.y);
  }
  const brush = { pen, palette, labels, scale, top, once: new Set<string>(), nextX: scale.width };
  for (const item of items) laneMarkOf(item).draw(item, brush);
  items.forEach((item, n) => {
    const next = items[n + 1];
    const nextX = next?.kind === item.kind && 'x0' in next ? next.x0 : scale.width;
    laneMarkOf(item).drawWords?.(item, { ...brush, nextX });
  });
}
