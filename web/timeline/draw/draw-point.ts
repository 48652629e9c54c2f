import type { PointItem } from '../layout-lane.ts';
import { HOLD_PX, labelWidth, MID_PX, RENEWAL_PX } from '../metrics.ts';
import { markWord } from '../sentence.ts';
import type { Labels } from './labels.ts';
import { type Inks, labelFont, type Pen } from './pen.ts';

/** One instant on a lane, by its shape: triangle, diamond, ring, cross; what has no shape is said in words. */
export function drawPoint(pen: Pen, inks: Inks, item: PointItem, top: number, width: number, labels: Labels): void {
  const { x } = item;
  const mid = top + MID_PX;
  switch (item.point) {
    case 'renewed':
      return drawTriangle(pen, inks, x, top + RENEWAL_PX, item.count > 1);
    case 'renewal-refused':
      drawTriangle(pen, inks, x, top + RENEWAL_PX, false, true);
      return drawWords(pen, inks, item, 9, top + RENEWAL_PX - 4, width, labels);
    case 'released':
    case 'permits-back':
      return drawDiamond(pen, inks, x, mid, true);
    case 'partly-released':
    case 'counted-down':
      drawDiamond(pen, inks, x, mid, false);
      return drawNumber(pen, inks, item.mark.count, x, mid);
    case 'reentered':
    case 'permits-taken':
      return drawReentry(pen, inks, x, mid);
    case 'refused':
    case 'permits-refused':
      return drawRing(pen, inks, x, mid);
    case 'permits-set':
    case 'latch-set':
      drawSquare(pen, inks, x, mid);
      return drawWords(pen, inks, item, 11, mid, width, labels);
    case 'unlock-refused':
      drawRing(pen, inks, x, mid);
      return drawWords(pen, inks, item, 11, mid, width, labels);
    case 'expired':
    case 'permits-expired':
      return drawCross(pen, inks, x, mid);
    case 'taken-away':
      drawDiamond(pen, inks, x, mid, false);
      drawStroke(pen, inks, x, mid);
      return drawWords(pen, inks, item, 12, mid, width, labels);
  }
}

function drawTriangle(pen: Pen, inks: Inks, x: number, bottom: number, isMany: boolean, isHollow = false): void {
  const half = isMany ? 6.5 : 5;
  pen.beginPath();
  pen.moveTo(x, bottom - 9);
  pen.lineTo(x + half, bottom);
  pen.lineTo(x - half, bottom);
  pen.closePath();
  if (isHollow) return outline(pen, inks);
  pen.fillStyle = inks.ink;
  pen.fill();
  if (isMany) pen.fillRect(x - half, bottom - 12, half * 2, 1.5);
}

function outline(pen: Pen, inks: Inks): void {
  pen.fillStyle = inks.page;
  pen.fill();
  pen.strokeStyle = inks.ink;
  pen.lineWidth = 1.5;
  pen.stroke();
}

function drawDiamond(pen: Pen, inks: Inks, x: number, mid: number, isFilled: boolean): void {
  const path = (half: number, tall: number) => {
    pen.beginPath();
    pen.moveTo(x, mid - tall);
    pen.lineTo(x + half, mid);
    pen.lineTo(x, mid + tall);
    pen.lineTo(x - half, mid);
    pen.closePath();
  };
  path(8, 11);
  pen.fillStyle = inks.page;
  pen.fill();
  path(6.5, 9);
  if (!isFilled) return outline(pen, inks);
  pen.fillStyle = inks.ink;
  pen.fill();
}

function drawNumber(pen: Pen, inks: Inks, count: number | null, x: number, mid: number): void {
  if (count === null) return;
  pen.font = labelFont(inks, 600, 10);
  pen.textAlign = 'center';
  pen.textBaseline = 'middle';
  pen.fillStyle = inks.ink;
  pen.fillText(String(count), x, mid + 0.5);
}

function drawReentry(pen: Pen, inks: Inks, x: number, mid: number): void {
  pen.fillStyle = inks.ink;
  pen.fillRect(Math.round(x) - 1, mid - HOLD_PX / 2 - 3, 2, HOLD_PX + 3);
  pen.fillStyle = inks.onHold;
  pen.fillRect(Math.round(x) + 1, mid - HOLD_PX / 2, 1, HOLD_PX);
}

function drawRing(pen: Pen, inks: Inks, x: number, mid: number): void {
  pen.beginPath();
  pen.arc(x, mid, 6, 0, Math.PI * 2);
  pen.fillStyle = inks.page;
  pen.fill();
  pen.strokeStyle = inks.wait;
  pen.lineWidth = 2;
  pen.stroke();
  drawX(pen, inks.ink, 1.5, x, mid, 2.7);
}

/** A number was set: an empty square. */
function drawSquare(pen: Pen, inks: Inks, x: number, mid: number): void {
  pen.fillStyle = inks.page;
  pen.fillRect(x - 7, mid - 7, 14, 14);
  pen.strokeStyle = inks.ink;
  pen.lineWidth = 2;
  pen.strokeRect(x - 5, mid - 5, 10, 10);
}

function drawCross(pen: Pen, inks: Inks, x: number, mid: number): void {
  drawX(pen, inks.page, 6, x, mid, 6.5);
  drawX(pen, inks.lost, 3.5, x, mid, 6.5);
}

function drawStroke(pen: Pen, inks: Inks, x: number, mid: number): void {
  pen.beginPath();
  pen.moveTo(x - 8, mid + 9);
  pen.lineTo(x + 8, mid - 9);
  pen.strokeStyle = inks.lost;
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

/** Words stand right of their mark, or left of it where there is no room. */
function drawWords(
  pen: Pen,
  inks: Inks,
  item: PointItem,
  apart: number,
  mid: number,
  width: number,
  labels: Labels,
): void {
  const word = markWord(item.mark, inks.words.marks);
  const length = labelWidth(word);
  const right = item.x + apart;
  const isRight = right + length <= width && labels.place(right, right + length, length, mid) !== null;
  const left = item.x - apart - length;
  if (!isRight && (left < 0 || labels.place(left, left + length, length, mid) === null)) return;
  pen.font = labelFont(inks);
  pen.textAlign = 'left';
  pen.textBaseline = 'middle';
  pen.fillStyle = inks.ink;
  pen.fillText(word, isRight ? right : left, mid + 0.5);
}
