import type { RunItem } from '../layout-lane.ts';
import { labelWidth, MID_PX, WAIT_PX } from '../metrics.ts';
import type { Scale } from '../scale.ts';
import type { Labels } from './labels.ts';
import { type Inks, labelFont, type Pen } from './pen.ts';

const TOOTH_PX = 4;
/** Room for a comb; below it there is one thick tooth. */
const COMB_FROM_PX = 8;
/** Bold letters are as much wider. */
const BOLD = 1.12;
const HEIGHT_PX = WAIT_PX + 8;

/** Attempts without a pause between them: a comb as long as they went on, and how many they were. */
export function drawRun(pen: Pen, inks: Inks, item: RunItem, top: number, scale: Scale, labels: Labels): void {
  const y = top + MID_PX - HEIGHT_PX / 2;
  const x0 = Math.max(-TOOTH_PX, item.x0);
  const x1 = Math.min(scale.width + TOOTH_PX, item.x1);
  if (x1 - x0 < COMB_FROM_PX) {
    pen.fillStyle = inks.page;
    pen.fillRect(x0 - 2, y - 1, Math.max(4, x1 - x0) + 4, HEIGHT_PX + 2);
    pen.fillStyle = inks.wait;
    pen.fillRect(x0, y, Math.max(4, x1 - x0), HEIGHT_PX);
  } else {
    pen.fillStyle = inks.page;
    pen.fillRect(x0, y, x1 - x0, HEIGHT_PX);
    pen.fillStyle = inks.wait;
    pen.fillRect(x0, y, x1 - x0, 2);
    for (let x = Math.ceil(x0 / TOOTH_PX) * TOOTH_PX; x < x1; x += TOOTH_PX) pen.fillRect(x, y, 2, HEIGHT_PX);
  }
  drawCount(pen, inks, item, { x0, x1, y: y + HEIGHT_PX / 2, width: scale.width }, labels);
}

type Place = { readonly x0: number; readonly x1: number; readonly y: number; readonly width: number };

/** In the comb where there is room, else behind it. */
function drawCount(pen: Pen, inks: Inks, item: RunItem, { x0, x1, y, width }: Place, labels: Labels): void {
  for (const text of inks.words.marks.label.asked(item.count)) {
    const length = labelWidth(text) * BOLD + 8;
    const inside = labels.place(Math.max(0, x0) + 6, Math.min(width, x1) - 4, length, y);
    const x = inside ?? (x1 + 6 + length <= width ? labels.place(x1 + 6, x1 + 6 + length, length, y) : null);
    if (x === null) continue;
    pen.fillStyle = inks.page;
    pen.fillRect(x - 2, y - 8, length, 16);
    pen.font = labelFont(inks, 600);
    pen.textAlign = 'left';
    pen.textBaseline = 'middle';
    pen.fillStyle = inks.ink;
    pen.fillText(text, x + 2, y + 0.5);
    return;
  }
}
