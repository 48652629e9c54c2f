import type { LaneItem } from '../../layout/layout-lane.ts';
import { markTop } from '../../layout/rows.ts';
import type { Scene } from '../../layout/scene.ts';
import type { MarkBox } from './lane-mark.ts';
import { laneMarkOf } from './lane-marks.ts';

/** The box of the item drawn for a mark; null if it is not visible, or drawn as part of another. */
export function boxOfMark(scene: Scene, lockId: string | null, markId: string | null): MarkBox | null {
  if (markId === null) return null;
  for (const { row, track, items } of scene.rows) {
    if (row.kind !== 'thread' || (lockId !== null && track?.id !== lockId)) continue;
    for (const item of items) if (item.mark.id === markId) return boxOfItem(item, markTop(row));
  }
  return null;
}

/** The box of an item in the lane that begins at `top`. */
export function boxOfItem(item: LaneItem, top: number): MarkBox {
  const box = laneMarkOf(item).box(item);
  return { ...box, y: top + box.y };
}
