import type { Mark } from '../model/marks.ts';
import { stripsOf } from './bar-strips.ts';
import type { LaneItem } from './layout-lane.ts';
import { HOLD_PX, MID_PX, RENEWAL_PX, WAIT_PX } from './metrics.ts';
import type { Scene, SceneRow } from './scene.ts';

/** The mark under the pointer. */
export type Hit = {
  readonly row: SceneRow;
  readonly mark: Mark;
  /** How many marks are drawn as this one. */
  readonly count: number;
};

/** How far from a point still counts as on it. */
const NEAR_PX = 8;

/** The row at a height of the picture. */
export function rowAt(scene: Scene, y: number): SceneRow | undefined {
  return scene.rows.find(({ row }) => y >= row.y && y < row.y + row.height);
}

/** The mark at a place of the picture, or null. A point wins over the bar below it, the nearest point first. */
export function hitTest(scene: Scene, x: number, y: number): Hit | null {
  const row = rowAt(scene, y);
  if (!row) return null;
  const inLane = y - row.row.y;
  let best: { item: LaneItem; distance: number } | null = null;
  for (const item of row.items) {
    const distance = item.kind === 'point' ? distanceToPoint(item, x, inLane) : distanceToBar(item, x, inLane);
    if (distance !== null && (best === null || distance <= best.distance)) best = { item, distance };
  }
  if (!best) return null;
  const { item } = best;
  return { row, mark: item.mark, count: item.kind === 'hold' || item.kind === 'wait' ? 1 : item.count };
}

function distanceToPoint(item: LaneItem & { kind: 'point' }, x: number, y: number): number | null {
  const isAbove = item.point === 'renewed' || item.point === 'renewal-refused';
  const [top, bottom] = isAbove ? [RENEWAL_PX - 12, RENEWAL_PX + 2] : [MID_PX - 13, MID_PX + 13];
  const distance = Math.abs(item.x - x);
  return distance <= NEAR_PX && y >= top && y <= bottom ? distance : null;
}

/**
 * A bar counts as farther away than any point. Thin bars reach a little beyond their edges, so that they can be hit. If
 * two bars overlap, the pointer hits the thin one where it is drawn, and the wide one elsewhere.
 */
function distanceToBar(item: Exclude<LaneItem, { kind: 'point' }>, x: number, y: number): number | null {
  const air = item.x1 - item.x0 < 6 ? 3 : 0;
  if (x < item.x0 - air || x > item.x1 + air) return null;
  if (item.kind === 'hold') {
    if (stripsOf(item.mark).some((strip) => y >= strip.y - 2 && y <= strip.y + strip.height + 2)) return NEAR_PX + 1;
    return item.mark.mode === 'read' && Math.abs(y - MID_PX) <= HOLD_PX / 2 ? NEAR_PX + 3 : null;
  }
  const isWait = item.kind === 'wait' || (item.kind === 'dense' && item.of === 'wait');
  return Math.abs(y - MID_PX) <= (isWait ? WAIT_PX : HOLD_PX) / 2 + 2 ? NEAR_PX + 2 : null;
}
