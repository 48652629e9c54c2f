import type { ArrowItem } from '../../layout/arrow-items.ts';
import { BOLD_FACTOR, HOLD_PX, labelWidth, MID_PX } from '../../layout/metrics.ts';
import type { Mark, WakeArrow } from '../../model/marks.ts';
import type { Labels } from '../pen/labels.ts';
import { labelFont, type Palette, type Pen } from '../pen/pen.ts';
import type { Layer } from './layer.ts';

/** Height of the background behind words that cover something. */
const PLATE_PX = 16;

/** The distance from a bar to the middle of the words beside it. */
const WORDS_APART_PX = 12;

/** The opacity of one of many arrows. */
const FAINT = 0.22;

/** Every wake-up between two lanes. The wake-ups of a convoy are faint, so that its holds stand out. */
export const wakeUps: Layer = ({ pen, palette, scene, labels }) => {
  for (const arrow of scene.arrows) {
    pen.globalAlpha = arrow.isFaint ? FAINT : 1;
    drawArrow(pen, palette, arrow, labels);
  }
  pen.globalAlpha = 1;
};

/** The wake-ups that begin or end at a mark. */
export function arrowsAt(arrows: readonly WakeArrow[], mark: Mark): WakeArrow[] {
  const ends = new Set([mark.seq, mark.kind === 'point' ? mark.seq : mark.endSeq]);
  return arrows.filter((arrow) => [arrow.seq, ...arrow.causes].some((seq) => ends.has(seq)));
}

/**
 * Draws a wake-up between two lanes: solid for an observed message, dotted for the waiter's own timer, which is inferred.
 * Without `labels` its words cover what is behind them.
 */
export function drawArrow(pen: Pen, palette: Palette, arrow: ArrowItem, labels?: Labels): void {
  if (arrow.fromTop === null || arrow.fromTop === arrow.toTop) return;
  const isDown = arrow.toTop > arrow.fromTop;
  const sign = isDown ? 1 : -1;
  const y0 = arrow.fromTop + MID_PX + sign * (HOLD_PX / 2);
  const y1 = arrow.toTop + MID_PX - sign * (HOLD_PX / 2 + 3);
  const x1 = arrow.x1;
  pen.strokeStyle = palette.ink;
  pen.lineWidth = 1.75;
  pen.setLineDash(arrow.by === 'message' ? [] : [2, 3]);
  pen.beginPath();
  pen.moveTo(arrow.x0, y0);
  const bend = y0 + (y1 - y0) * 0.5;
  pen.quadraticCurveTo(arrow.x0, bend, x1, y1 - sign * 8);
  pen.stroke();
  pen.setLineDash([]);
  pen.fillStyle = palette.ink;
  pen.beginPath();
  pen.moveTo(x1, y1);
  pen.lineTo(x1 - 6, y1 - sign * 11);
  pen.lineTo(x1 + 6, y1 - sign * 11);
  pen.closePath();
  pen.fill();
  if (arrow.gap < palette.labelPx + 2) return;
  drawWords(pen, palette, arrow, y0 + sign * Math.min(WORDS_APART_PX, arrow.gap / 2), labels);
}

function drawWords(pen: Pen, palette: Palette, arrow: ArrowItem, y: number, labels: Labels | undefined): void {
  if (arrow.words === '') return;
  const isMessage = arrow.by === 'message';
  const width = labelWidth(arrow.words, palette.labelPx) * (isMessage ? BOLD_FACTOR : 1);
  const hasRoom = width + 12 <= arrow.room;
  if (labels && !hasRoom) return;
  const x = arrow.x0 + (isMessage === hasRoom ? 10 : -8 - width);
  if (labels && labels.place(x, x + width, width, y) === null) return;
  if (!labels) {
    pen.fillStyle = palette.page;
    pen.fillRect(x - 3, y - PLATE_PX / 2, width + 6, PLATE_PX);
  }
  pen.font = labelFont(palette, isMessage ? 600 : 400);
  pen.textAlign = 'left';
  pen.textBaseline = 'middle';
  pen.fillStyle = palette.ink;
  pen.fillText(arrow.words, x, y);
}
