import type { PointItem } from '../layout/layout-lane.ts';
import { HOLD_PX, labelWidth, MID_PX, RENEWAL_PX } from '../layout/metrics.ts';
import { markWord } from '../model/sentence.ts';
import type { Labels } from './labels.ts';
import { labelFont, type Palette, type Pen } from './pen.ts';

/** Draws one point on a lane as a triangle, diamond, ring, square or cross; some kinds also get a word. */
export function drawPoint(
  pen: Pen,
  palette: Palette,
  item: PointItem,
  top: number,
  width: number,
  labels: Labels,
): void {
  const { x } = item;
  const mid = top + MID_PX;
  switch (item.point) {
    case 'renewed':
      return drawTriangle(pen, palette, x, top + RENEWAL_PX, item.count > 1);
    case 'renewal-refused':
      drawTriangle(pen, palette, x, top + RENEWAL_PX, false, true);
      return drawWords(pen, palette, item, 9, top + RENEWAL_PX - 4, width, labels);
    case 'released':
    case 'permits-back':
      return drawDiamond(pen, palette, x, mid, true);
    case 'partly-released':
    case 'counted-down':
      drawDiamond(pen, palette, x, mid, false);
      return drawNumber(pen, palette, item.mark.count, x, mid);
    case 'reentered':
    case 'permits-taken':
      return drawReentry(pen, palette, x, mid);
    case 'refused':
    case 'permits-refused':
      return drawRing(pen, palette, x, mid);
    case 'permits-set':
    case 'latch-set':
      drawSquare(pen, palette, x, mid);
      return drawWords(pen, palette, item, 11, mid, width, labels);
    case 'unlock-refused':
      drawRing(pen, palette, x, mid);
      return drawWords(pen, palette, item, 11, mid, width, labels);
    case 'expired':
    case 'permits-expired':
      return drawCross(pen, palette, x, mid);
    case 'taken-away':
      drawDiamond(pen, palette, x, mid, false);
      drawStroke(pen, palette, x, mid);
      return drawWords(pen, palette, item, 12, mid, width, labels);
  }
}

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

function drawNumber(pen: Pen, palette: Palette, count: number | null, x: number, mid: number): void {
  if (count === null) return;
  pen.font = labelFont(palette, 600, 10);
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

/** Draws words to the right of their mark, or to the left if there is no room; without room there, none. */
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
  const length = labelWidth(word);
  const right = item.x + apart;
  const isRight = right + length <= width && labels.place(right, right + length, length, mid) !== null;
  const left = item.x - apart - length;
  if (!isRight && (left < 0 || labels.place(left, left + length, length, mid) === null)) return;
  pen.font = labelFont(palette);
  pen.textAlign = 'left';
  pen.textBaseline = 'middle';
  pen.fillStyle = palette.ink;
  pen.fillText(word, isRight ? right : left, mid + 0.5);
}
