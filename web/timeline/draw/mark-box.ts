import { stripsOf } from '../layout/bar-strips.ts';
import type { LaneItem } from '../layout/layout-lane.ts';
import { HOLD_PX, MID_PX, RENEWAL_PX, WAIT_PX } from '../layout/metrics.ts';
import type { Scene } from '../layout/scene.ts';
import { isAboveBar } from '../model/point-table.ts';

/** The box of a mark in the picture, with a little space around it. */
export type MarkBox = { readonly x: number; readonly y: number; readonly width: number; readonly height: number };

/** The box of the item drawn for a mark; null if it is not visible, or drawn as part of another. */
export function boxOfMark(scene: Scene, lockId: string | null, markId: string | null): MarkBox | null {
  if (markId === null) return null;
  for (const { row, track, items } of scene.rows) {
    if (row.kind !== 'thread' || (lockId !== null && track?.id !== lockId)) continue;
    for (const item of items) if (item.mark.id === markId) return boxOfItem(item, row.y);
  }
  return null;
}

/** The box of an item in the lane that begins at `top`. */
export function boxOfItem(item: LaneItem, top: number): MarkBox {
  if (item.kind === 'point') {
    const isAbove = isAboveBar(item.point);
    const middle = top + (isAbove ? RENEWAL_PX - 5 : MID_PX);
    const half = isAbove ? 8 : 12;
    return { x: item.x - half, y: middle - half, width: half * 2, height: half * 2 };
  }
  const x = item.x0 - 3;
  const width = Math.max(4, item.x1 - item.x0) + 6;
  if (item.kind === 'hold') {
    const strips = stripsOf(item.mark);
    const [first] = strips;
    const last = strips.at(-1) ?? first;
    const from = (first?.y ?? 0) - 4;
    return { x, y: top + from, width, height: (last?.y ?? 0) + (last?.height ?? 0) + 4 - from };
  }
  const isWait = item.kind === 'wait' || (item.kind === 'dense' && item.of === 'wait');
  const height = (isWait ? WAIT_PX : HOLD_PX) + 8;
  return { x, y: top + MID_PX - height / 2, width, height };
}
