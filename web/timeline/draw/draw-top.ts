import { RULER_PX } from '../layout/metrics.ts';
import { drawGroup } from './draw-group.ts';
import type { MarkBox } from './mark-box.ts';
import type { Palette, Pen } from './pen.ts';

export type TopView = {
  readonly width: number;
  readonly height: number;
  readonly scrollTop: number;
  /** Right of it everything is drawn weak: the future. Null while live. */
  readonly cursorX: number | null;
  readonly hovered: MarkBox | null;
  /** Marks of the multi lock or RedLock that the selected one is of. */
  readonly together?: readonly MarkBox[];
};

/** True where nothing would be drawn. */
export function isTopBlank({ cursorX, width, hovered, together = [] }: TopView): boolean {
  return (cursorX === null || cursorX >= width) && hovered === null && together.length === 0;
}

/** Strength of what lies right of the cursor. */
const FUTURE_STRENGTH = 0.35;

/** The layer above the lanes: the veil over the future, and an outline around what is hovered. */
export function drawTop(pen: Pen, palette: Palette, view: TopView): void {
  const { cursorX, width, height } = view;
  if (cursorX !== null && cursorX < width) {
    pen.globalAlpha = 1 - FUTURE_STRENGTH;
    pen.fillStyle = palette.page;
    const x = Math.max(0, cursorX);
    pen.fillRect(x, RULER_PX, width - x, height - RULER_PX);
    pen.globalAlpha = 1;
  }
  pen.save();
  pen.beginPath();
  pen.rect(0, RULER_PX, width, height - RULER_PX);
  pen.clip();
  pen.translate(0, RULER_PX - view.scrollTop);
  if (view.together) drawGroup(pen, palette, view.together);
  if (view.hovered) drawOutline(pen, palette, view.hovered);
  pen.restore();
}

/** In ink with an outline of the background, so that it reads on any mark. */
function drawOutline(pen: Pen, palette: Palette, box: MarkBox): void {
  pen.strokeStyle = palette.page;
  pen.lineWidth = 3;
  pen.strokeRect(box.x, box.y, box.width, box.height);
  pen.strokeStyle = palette.ink;
  pen.lineWidth = 1;
  pen.strokeRect(box.x, box.y, box.width, box.height);
}
