import { markTop } from '../../layout/rows.ts';
import type { Scene } from '../../layout/scene.ts';
import { eventIn } from '../../model/causes.ts';
import type { MarkBox } from '../lanes/lane-mark.ts';
import { boxOfItem } from '../lanes/mark-box.ts';
import type { Palette, Pen } from '../pen/pen.ts';

/** The distance of the bracket from the leftmost member, and the length of its ends. */
const BRACKET_PX = 9;
const REACH_PX = 5;

/** The boxes of the visible holds and waits of one operation on a multi lock or RedLock, from top to bottom. */
export function boxesOfGroup(scene: Scene, group: string | undefined): MarkBox[] {
  if (group === undefined) return [];
  const boxes: MarkBox[] = [];
  for (const { row, track, items } of scene.rows) {
    if (row.kind !== 'thread' || !track) continue;
    for (const item of items) {
      const isSpan = item.kind === 'hold' || item.kind === 'wait';
      if (isSpan && eventIn(track, item.mark.seq)?.group === group) boxes.push(boxOfItem(item, markTop(row)));
    }
  }
  return boxes;
}

/**
 * Marks two or more members of one operation: a dashed outline around each, and a bracket on their left.
 *
 *   ┌╌ ╔════════╗     a
 *   │
 *   ├╌ ╔════════╗     b
 *   └╌ ╔══╗           c
 */
export function drawGroup(pen: Pen, palette: Palette, boxes: readonly MarkBox[]): void {
  const [first] = boxes;
  const last = boxes.at(-1);
  if (!first || !last || boxes.length < 2) return;
  pen.save();
  for (const { x, y, width, height } of boxes) {
    outline(pen, palette, () => pen.strokeRect(x, y, width, height), [4, 3]);
  }
  const left = Math.max(2, Math.min(...boxes.map(({ x }) => x)) - BRACKET_PX);
  const middle = (box: MarkBox) => Math.round(box.y + box.height / 2) + 0.5;
  outline(pen, palette, () => {
    pen.beginPath();
    pen.moveTo(left, middle(first));
    pen.lineTo(left, middle(last));
    for (const box of boxes) {
      pen.moveTo(left, middle(box));
      pen.lineTo(left + REACH_PX, middle(box));
    }
    pen.stroke();
  });
  pen.restore();
}

/** A line in ink over one in the background colour, so that it is visible on any mark. */
function outline(pen: Pen, palette: Palette, draw: () => void, dash: number[] = []): void {
  pen.setLineDash([]);
  pen.strokeStyle = palette.page;
  pen.lineWidth = 4;
  draw();
  pen.setLineDash(dash);
  pen.strokeStyle = palette.ink;
  pen.lineWidth = 1.5;
  draw();
  pen.setLineDash([]);
}
