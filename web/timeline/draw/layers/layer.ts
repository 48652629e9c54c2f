import type { Scene, SceneRow } from '../../layout/scene.ts';
import type { Tick } from '../../layout/ticks.ts';
import type { Labels } from '../pen/labels.ts';
import type { Palette, Pen } from '../pen/pen.ts';

/** The part of the lanes that is drawn: `top` to `bottom`, in px of the rows. */
export type Sheet = {
  readonly pen: Pen;
  readonly palette: Palette;
  readonly scene: Scene;
  readonly width: number;
  readonly top: number;
  readonly bottom: number;
  readonly ticks: readonly Tick[];
  readonly labels: Labels;
};

/**
 * Draws one layer of the picture, for example the grid lines, the contents of all rows, or the blind spots.
 * `draw-scene.ts` has the layers in their order.
 */
export type Layer = (sheet: Sheet) => void;

/** Top and bottom of each group of consecutive rows of some locks. Rows of other locks between them are left out. */
export function rangesOf(
  rows: readonly SceneRow[],
  isMeant: (lockId: string) => boolean,
): { top: number; bottom: number }[] {
  const found: { top: number; bottom: number }[] = [];
  let isOpen = false;
  for (const { row } of rows) {
    const isOwn = row.kind !== 'quiet' && isMeant(row.lockId);
    const last = found.at(-1);
    if (isOwn && isOpen && last) last.bottom = row.y + row.height;
    else if (isOwn) found.push({ top: row.y, bottom: row.y + row.height });
    isOpen = isOwn;
  }
  return found;
}
