import { markTop } from '../../layout/rows.ts';
import type { Scene, SceneRow } from '../../layout/scene.ts';
import type { Mark } from '../../model/marks.ts';
import { laneMarkOf } from './lane-marks.ts';

/** The mark under the pointer. */
export type Hit = {
  readonly row: SceneRow;
  readonly mark: Mark;
  /** How many marks share this drawn mark. */
  readonly count: number;
};

/** The row at a height of the picture. */
export function rowAt(scene: Scene, y: number): SceneRow | undefined {
  return scene.rows.find(({ row }) => y >= row.y && y < row.y + row.height);
}

/** The mark at a place of the picture, or null. A point wins over the bar below it, the nearest point first. */
export function hitTest(scene: Scene, x: number, y: number): Hit | null {
  const row = rowAt(scene, y);
  if (!row) return null;
  const inLane = y - markTop(row.row);
  let best: { item: (typeof row.items)[number]; distance: number } | null = null;
  for (const item of row.items) {
    const distance = laneMarkOf(item).distance(item, x, inLane);
    if (distance !== null && (best === null || distance <= best.distance)) best = { item, distance };
  }
  if (!best) return null;
  const { item } = best;
  return { row, mark: item.mark, count: 'count' in item ? item.count : 1 };
}
