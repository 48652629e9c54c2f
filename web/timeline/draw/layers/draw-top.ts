import type { ArrowItem } from '../../layout/arrow-items.ts';
import { RULER_PX } from '../../layout/metrics.ts';
import type { MarkBox } from '../lanes/lane-mark.ts';
import type { Palette, Pen } from '../pen/pen.ts';
import { drawArrow } from './draw-arrow.ts';
import { drawGroup } from './draw-group.ts';

export type TopView = {
  readonly width: number;
  readonly height: number;
  readonly scrollTop: number;
  /** Everything to the right of it is the future and is dimmed. Null while live. */
  readonly cursorX: number | null;
  readonly hovered: MarkBox | null;
  /** The selected mark: it is not dimmed, because the cursor is at its start. */
  readonly selected?: MarkBox | null;
  /** The wake-ups of the hovered and of the selected mark. */
  readonly arrows?: readonly ArrowItem[];
  /** Marks of the same multi lock or RedLock as the selected one. */
  readonly together?: readonly MarkBox[];
};

/** True if nothing would be drawn. */
export function isTopBlank({ cursorX, width, hovered, arrows = [], together = [] }: TopView): boolean {
  const isDimming = cursorX !== null && cursorX < width;
  return !isDimming && hovered === null && arrows.length === 0 && together.length === 0;
}

/** Opacity of what is to the right of the cursor. */
const FUTURE_STRENGTH = 0.35;

/**
 * Draws the layer above the lanes: a translucent layer over the future, the wake-ups and the group of the selected
 * mark, and an outline of the hovered mark.
 */
export function drawTop(pen: Pen, palette: Palette, view: TopView): void {
  const { cursorX, width, height } = view;
  if (cursorX !== null && cursorX < width) {
    pen.globalAlpha = 1 - FUTURE_STRENGTH;
    pen.fillStyle = palette.page;
    const x = Math.max(0, cursorX);
    pen.beginPath();
    pen.rect(x, RULER_PX, width - x, height - RULER_PX);
    if (view.selected) addHole(pen, view.selected, { x, ...view });
    pen.fill('evenodd');
    pen.globalAlpha = 1;
  }
  pen.save();
  pen.beginPath();
  pen.rect(0, RULER_PX, width, height - RULER_PX);
  pen.clip();
  pen.translate(0, RULER_PX - view.scrollTop);
  for (const arrow of view.arrows ?? []) drawArrow(pen, palette, arrow);
  if (view.together) drawGroup(pen, palette, view.together);
  if (view.hovered) drawOutline(pen, palette, view.hovered);
  pen.restore();
}

/** Adds the visible part of a box to the path: the fill leaves it out. */
function addHole(pen: Pen, box: MarkBox, view: { x: number; width: number; height: number; scrollTop: number }): void {
  const left = Math.max(view.x, box.x);
  const right = Math.min(view.width, box.x + box.width);
  const top = Math.max(RULER_PX, box.y + RULER_PX - view.scrollTop);
  const bottom = Math.min(view.height, box.y + box.height + RULER_PX - view.scrollTop);
  if (right > left && bottom > top) pen.rect(left, top, right - left, bottom - top);
}

/** A line in ink with an edge in the background colour, so that it is visible on any mark. */
function drawOutline(pen: Pen, palette: Palette, box: MarkBox): void {
  pen.strokeStyle = palette.page;
  pen.lineWidth = 3;
  pen.strokeRect(box.x, box.y, box.width, box.height);
  pen.strokeStyle = palette.ink;
  pen.lineWidth = 1;
  pen.strokeRect(box.x, box.y, box.width, box.height);
}
