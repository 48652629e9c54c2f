import type { PointItem } from '../../layout/layout-lane.ts';
import { HOLD_PX, labelWidth, MID_PX, RENEWAL_PX } from '../../layout/metrics.ts';
import { isAboveBar, POINTS, type Sign } from '../../model/point-table.ts';
import { markWord } from '../../model/sentence.ts';
import type { Labels } from '../pen/labels.ts';
import { labelFont, type Palette, type Pen } from '../pen/pen.ts';
import { type LaneMark, NEAR_PX } from './lane-mark.ts';

/** Half the width of a point. */
const POINT_PX = 8;
/** The largest text inside a diamond. */
const MOST_IN_DIAMOND_PX = 12;

/** One instant, or several that are drawn as one. */
export const POINT: LaneMark<PointItem> = {
  draw: (item, { pen, palette, top, scale, labels }) => drawPoint(pen, palette, item, top, scale.width, labels),
  blocks: ({ x, point }) => ({
    x0: x - POINT_PX,
    x1: x + POINT_PX,
    y: isAboveBar(point) ? RENEWAL_PX - 4 : MID_PX,
  }),
  box({ x, point }) {
    const isAbove = isAboveBar(point);
    const middle = isAbove ? RENEWAL_PX - 5 : MID_PX;
    const half = isAbove ? 8 : 12;
    return { x: x - half, y: middle - half, width: half * 2, height: half * 2 };
  },
  distance(item, x, y) {
    const [top, bottom] = isAboveBar(item.point) ? [RENEWAL_PX - 12, RENEWAL_PX + 2] : [MID_PX - 13, MID_PX + 13];
    const distance = Math.abs(item.x - x);
    return distance <= NEAR_PX && y >= top && y <= bottom ? distance : null;
  },
};

/** Draws one point on a lane: its sign and, for some kinds, a word beside it. */
function drawPoint(pen: Pen, palette: Palette, item: PointItem, top: number, width: number, labels: Labels): void {
  const { sign, isWorded } = POINTS[item.point];
  const isAbove = isAboveBar(item.point);
  SIGNS[sign](pen, palette, item, top + (isAbove ? RENEWAL_PX : MID_PX));
  if (!isWorded) return;
  const apart = isAbove ? 9 : sign === 'struck-diamond' ? 12 : 11;
  drawWords(
    pen,
    palette,
    item,
    apart,
    isAbove ? top + RENEWAL_PX - Math.max(4, palette.labelPx / 2 - 2) : top + MID_PX,
    width,
    labels,
  );
}

/** `y` is the middle of the bar, or the lower edge of the triangle. */
type DrawSign = (pen: Pen, palette: Palette, item: PointItem, y: number) => void;

const SIGNS: Readonly<Record<Sign, DrawSign>> = {
  triangle: (pen, palette, { x, count }, bottom) => drawTriangle(pen, palette, x, bottom, count > 1),
  'hollow-triangle': (pen, palette, { x }, bottom) => drawTriangle(pen, palette, x, bottom, false, true),
  diamond: (pen, palette, { x }, mid) => drawDiamond(pen, palette, x, mid, true),
  'numbered-diamond': (pen, palette, { x, mark }, mid) => {
    drawDiamond(pen, palette, x, mid, false);
    drawNumber(pen, palette, mark.count, x, mid);
  },
  'struck-diamond': (pen, palette, { x }, mid) => {
    drawDiamond(pen, palette, x, mid, false);
    drawStroke(pen, palette, x, mid);
  },
  line: (pen, palette, { x }, mid) => drawReentry(pen, palette, x, mid),
  ring: (pen, palette, { x }, mid) => drawRing(pen, palette, x, mid),
  square: (pen, palette, { x }, mid) => drawSquare(pen, palette, x, mid),
  cross: (pen, palette, { x }, mid) => drawCross(pen, palette, x, mid),
};

function drawTriangle(pen: Pen, palette: Palette, x: number, bottom: number, isMany: boolean, isHollow = false): void {
  const half = isMany ? 6.5 : 5;
  pen.beginPath();
  pen.moveTo(x, bottom - 9);
  pen.lineTo(x + half, bottom);
  pen.lineTo(x - half, bottom);
  pen.closePath();
  if (isHollow) return outline(pen, palette);
  pen.fillStyle = palette.ink;
  pen.fill();
  if (isMany) pen.fillRect(x - half, bottom - 12, half * 2, 1.5);
}

function outline(pen: Pen, palette: Palette): void {
  pen.fillStyle = palette.page;
  pen.fill();
  pen.strokeStyle = palette.ink;
  pen.lineWidth = 1.5;
  pen.stroke();
}

function drawDiamond(pen: Pen, palette: Palette, x: number, mid: number, isFilled: boolean): void {
  const path = (half: number, tall: number) => {
    pen.beginPath();
    pen.moveTo(x, mid - tall);
    pen.lineTo(x + half, mid);
    pen.lineTo(x, mid + tall);
    pen.lineTo(x - half, mid);
    pen.closePath();
  };
  path(8, 11);
  pen.fillStyle = palette.page;
  pen.fill();
  path(6.5, 9);
  if (!isFilled) return outline(pen, palette);
  pen.fillStyle = palette.ink;
  pen.fill();
}

/** Draws a number in a diamond. If many lanes make the picture smaller, labels are too large for it: draws none. */
function drawNumber(pen: Pen, palette: Palette, count: number | null, x: number, mid: number): void {
  const px = palette.labelPx - 2;
  if (count === null || px > MOST_IN_DIAMOND_PX) return;
  pen.font = labelFont(palette, 600, px);
  pen.textAlign = 'center';
  pen.textBaseline = 'middle';
  pen.fillStyle = palette.ink;
  pen.fillText(String(count), x, mid + 0.5);
}

function drawReentry(pen: Pen, palette: Palette, x: number, mid: number): void {
  pen.fillStyle = palette.ink;
  pen.fillRect(Math.round(x) - 1, mid - HOLD_PX / 2 - 3, 2, HOLD_PX + 3);
  pen.fillStyle = palette.onHold;
  pen.fillRect(Math.round(x) + 1, mid - HOLD_PX / 2, 1, HOLD_PX);
}

function drawRing(pen: Pen, palette: Palette, x: number, mid: number): void {
  pen.beginPath();
  pen.arc(x, mid, 6, 0, Math.PI * 2);
  pen.fillStyle = palette.page;
  pen.fill();
  pen.strokeStyle = palette.wait;
  pen.lineWidth = 2;
  pen.stroke();
  drawX(pen, palette.ink, 1.5, x, mid, 2.7);
}

/** An empty square: a number was set. */
function drawSquare(pen: Pen, palette: Palette, x: number, mid: number): void {
  pen.fillStyle = palette.page;
  pen.fillRect(x - 7, mid - 7, 14, 14);
  pen.strokeStyle = palette.ink;
  pen.lineWidth = 2;
  pen.strokeRect(x - 5, mid - 5, 10, 10);
}

function drawCross(pen: Pen, palette: Palette, x: number, mid: number): void {
  drawX(pen, palette.page, 6, x, mid, 6.5);
  drawX(pen, palette.lost, 3.5, x, mid, 6.5);
}

function drawStroke(pen: Pen, palette: Palette, x: number, mid: number): void {
  pen.beginPath();
  pen.moveTo(x - 8, mid + 9);
  pen.lineTo(x + 8, mid - 9);
  pen.strokeStyle = palette.lost;
  pen.lineWidth = 2.5;
  pen.stroke();
}

function drawX(pen: Pen, color: string, width: number, x: number, mid: number, half: number): void {
  pen.beginPath();
  pen.moveTo(x - half, mid - half);
  pen.lineTo(x + half, mid + half);
  pen.moveTo(x + half, mid - half);
  pen.lineTo(x - half, mid + half);
  pen.strokeStyle = color;
  pen.lineWidth = width;
  pen.stroke();
}

/**
 * Draws words to the right of their mark, or to the left if there is no room; without room there, none. On the stage,
 * the picture right of the cursor is not drawn yet. Words that would reach there wait, because they would change sides
 * later.
 */
function drawWords(
  pen: Pen,
  palette: Palette,
  item: PointItem,
  apart: number,
  mid: number,
  width: number,
  labels: Labels,
): void {
  const word = markWord(item.mark, palette.words.marks);
  const length = labelWidth(word, palette.labelPx);
  const right = item.x + apart;
  if (right + length > labels.end && right + length <= width) return;
  const isRight = right + length <= width && labels.place(right, right + length, length, mid) !== null;
  const left = item.x - apart - length;
  if (!isRight && (left < 0 || labels.place(left, left + length, length, mid) === null)) return;
  pen.font = labelFont(palette);
  pen.textAlign = 'left';
  pen.textBaseline = 'middle';
  pen.fillStyle = palette.ink;
  pen.fillText(word, isRight ? right : left, mid + 0.5);
}
