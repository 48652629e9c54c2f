import type { WaitItem } from '../../layout/layout-lane.ts';
import { FADE_PX, labelWidth, MID_PX, WAIT_PX } from '../../layout/metrics.ts';
import { labelFont, type Palette, type Pen } from '../pen/pen.ts';
import { blockPlaces, drawStay, endOfStay } from './draw-stay.ts';
import { fadeSteps } from './fade.ts';
import { type Brush, barOfHeight, type LaneMark } from './lane-mark.ts';

export const WAIT: LaneMark<WaitItem> = {
  draw: drawWait,
  ...barOfHeight(() => WAIT_PX),
};

const HATCH_PX = 8;

/**
 * Draws a wait: a hatched, outlined bar, lower than that of a hold. "asleep" and the place in the queue are in it; if
 * the waiter gave up or is presumed gone, these words are to the right of it.
 */
function drawWait(item: WaitItem, brush: Brush): void {
  const { pen, palette, top } = brush;
  const y = top + MID_PX - WAIT_PX / 2;
  const { mark } = item;
  const isFading = mark.to === null && !palette.isCalm;
  const solid = isFading ? Math.max(item.x0, item.x1 - FADE_PX) : item.x1;
  drawHatched(pen, palette, Math.max(-10, item.x0), solid, y);
  drawOutline(pen, palette, Math.max(-10, item.x0), solid, y, item.hasStart);
  if (isFading) fadeSteps(pen, palette, solid, item.x1, (from, to) => drawHatched(pen, palette, from, to, y));
  if (mark.stay !== null) blockPlaces(mark.stay, y, brush);
  drawSleep(item, y, brush);
  if (mark.stay !== null) drawStay(item, mark.stay, y, brush);
  if (mark.ended === 'gave-up' || mark.ended === 'presumed-gone') drawGaveUp(item, y, brush);
}

function drawHatched(pen: Pen, palette: Palette, x0: number, x1: number, y: number): void {
  if (x1 - x0 < 1) return;
  pen.save();
  pen.beginPath();
  pen.rect(x0, y, x1 - x0, WAIT_PX);
  pen.fillStyle = palette.page;
  pen.fill();
  pen.clip();
  pen.strokeStyle = palette.wait;
  pen.lineWidth = 2;
  pen.beginPath();
  // the hatching has a fixed grid of pixels, so that it does not depend on where the bar begins
  for (let x = Math.floor((x0 - WAIT_PX) / HATCH_PX) * HATCH_PX; x < x1 + WAIT_PX; x += HATCH_PX) {
    pen.moveTo(x, y + WAIT_PX);
    pen.lineTo(x + WAIT_PX, y);
  }
  pen.stroke();
  pen.restore();
}

/** Draws the outline of a wait: open on the left if the wait has no visible beginning. */
function drawOutline(pen: Pen, palette: Palette, x0: number, x1: number, y: number, hasStart: boolean): void {
  if (x1 - x0 < 1) return;
  const [left, right] = [hasStart ? x0 + 0.75 : x0, x1 - 0.75];
  const [top, bottom] = [y + 0.75, y + WAIT_PX - 0.75];
  pen.strokeStyle = palette.wait;
  pen.lineWidth = 1.5;
  pen.beginPath();
  pen.moveTo(left, top);
  pen.lineTo(right, top);
  pen.lineTo(right, bottom);
  pen.lineTo(left, bottom);
  if (hasStart) pen.closePath();
  pen.stroke();
}

/** Labels only the first sleep of a lane: more labels would fill the lanes of a convoy. */
function drawSleep(item: WaitItem, y: number, { pen, palette, scale, labels, once }: Brush): void {
  if (item.mark.asleepFrom === null || once.has('asleep')) return;
  const left = Math.max(0, item.x0, scale.x(item.mark.asleepFrom)) + 12;
  const right = Math.min(scale.width, item.x1) - 10;
  const label = placeFirst(palette.words.marks.label.asleep, (word) =>
    labels.place(left, right, labelWidth(word, palette.labelPx) + 8, y + WAIT_PX / 2),
  );
  if (!label) return;
  once.add('asleep');
  const { text, x: x0 } = label;
  const width = labelWidth(text, palette.labelPx) + 8;
  const height = Math.max(WAIT_PX, palette.labelPx) + 4;
  const top = y + (WAIT_PX - height) / 2;
  pen.fillStyle = palette.page;
  pen.fillRect(x0, top, width, height);
  pen.strokeStyle = palette.wait;
  pen.lineWidth = 1;
  pen.strokeRect(x0 + 0.5, top + 0.5, width - 1, height - 1);
  pen.font = labelFont(palette);
  pen.textAlign = 'left';
  pen.textBaseline = 'middle';
  pen.fillStyle = palette.ink;
  pen.fillText(text, x0 + 5, y + WAIT_PX / 2 + 0.5);
}

/** The first of some words, longest first, that has a place. */
function placeFirst(words: readonly string[], place: (word: string) => number | null) {
  for (const text of words) {
    const x = place(text);
    if (x !== null) return { text, x };
  }
  return null;
}

function drawGaveUp(item: WaitItem, y: number, { pen, palette, scale, labels }: Brush): void {
  pen.fillStyle = palette.ink;
  pen.fillRect(item.x1 - 1, y - 2, 2.5, WAIT_PX + 4);
  const { gaveUp, presumedGone } = palette.words.marks.label;
  const text = item.mark.ended === 'gave-up' ? gaveUp : presumedGone;
  const { stay } = item.mark;
  const x = (stay === null ? item.x1 : endOfStay(item, stay, scale)) + 7;
  const width = labelWidth(text, palette.labelPx);
  if (labels.place(x, x + width, width, y + WAIT_PX / 2) === null) return;
  pen.font = labelFont(palette);
  pen.textAlign = 'left';
  pen.textBaseline = 'middle';
  pen.fillText(text, x, y + WAIT_PX / 2 + 0.5);
}
