import type { LaneItem } from '../../layout/layout-lane.ts';
import { MID_PX } from '../../layout/metrics.ts';
import type { Scale } from '../../layout/scale.ts';
import type { Labels } from '../pen/labels.ts';
import type { Palette, Pen } from '../pen/pen.ts';

/** A rectangle of the picture, or of a lane that begins at 0. */
export type MarkBox = { readonly x: number; readonly y: number; readonly width: number; readonly height: number };

/** What an item is drawn with, and where. */
export type Brush = {
  readonly pen: Pen;
  readonly palette: Palette;
  readonly labels: Labels;
  /** Labels that a lane has only once, and that are drawn already. */
  readonly once: Set<string>;
  readonly scale: Scale;
  /** The y coordinate at which the marks of the lane begin. */
  readonly top: number;
  /** Where the next item begins if it is of the same kind, otherwise the right edge. For `drawWords` only. */
  readonly nextX: number;
};

/**
 * How one kind of item on a lane is drawn, framed and found under the pointer. `lane-marks.ts` has the table of all
 * kinds.
 */
export type LaneMark<Item extends LaneItem> = {
  draw(item: Item, brush: Brush): void;
  /** Draws words over all items of the lane. */
  drawWords?(item: Item, brush: Brush): void;
  /** The words of other items are not drawn on this range, `y` below the top of the lane. */
  blocks?(item: Item): { readonly x0: number; readonly x1: number; readonly y: number };
  /** Its box, with a little space around it, in a lane that begins at 0. */
  box(item: Item): MarkBox;
  /**
   * The distance in px from a place of its lane; null: the item is not at that place. The nearest item is hit. A bar returns more
   * than any point, so a point on a bar can be hit.
   */
  distance(item: Item, x: number, y: number): number | null;
};

/** Up to this distance, the pointer is on a point. A bar returns more. */
export const NEAR_PX = 8;

/** The left and right edge of the box of a bar. */
export function besideBar({ x0, x1 }: { readonly x0: number; readonly x1: number }): { x: number; width: number } {
  return { x: x0 - 3, width: Math.max(4, x1 - x0) + 6 };
}

/** Whether `x` is on a bar. A thin bar reaches a little beyond its edges, so that it can be hit. */
export function isOnBar({ x0, x1 }: { readonly x0: number; readonly x1: number }, x: number): boolean {
  const padding = x1 - x0 < 6 ? 3 : 0;
  return x >= x0 - padding && x <= x1 + padding;
}

/** The box of a bar that is `height` px high, in the middle of its lane, and the distance to it. */
export function barOfHeight<Item extends LaneItem & { readonly x0: number; readonly x1: number }>(
  heightOf: (item: Item) => number,
): Pick<LaneMark<Item>, 'box' | 'distance'> {
  return {
    box(item) {
      const height = heightOf(item) + 8;
      return { ...besideBar(item), y: MID_PX - height / 2, height };
    },
    distance: (item, x, y) => (isOnBar(item, x) && Math.abs(y - MID_PX) <= heightOf(item) / 2 + 2 ? NEAR_PX + 2 : null),
  };
}
