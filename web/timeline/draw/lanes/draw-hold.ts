import { MOST_UNITS, stripsOf, unitStrip } from '../../layout/bar-strips.ts';
import type { HoldItem } from '../../layout/layout-lane.ts';
import { BOLD_FACTOR, FADE_PX, HOLD_PX, LABEL_FROM_PX, labelWidth, MID_PX } from '../../layout/metrics.ts';
import type { Labels } from '../pen/labels.ts';
import { labelFont, type Palette, type Pen } from '../pen/pen.ts';
import { fadeSteps } from './fade.ts';
import { besideBar, isOnBar, type LaneMark, NEAR_PX } from './lane-mark.ts';

/**
 * A hold. Where a read hold overlaps the same thread's write hold, a pointer on one of its thin bars hits the read
 * hold.
 */
export const HOLD: LaneMark<HoldItem> = {
  draw: (item, { pen, palette, top, labels }) => drawHold(pen, palette, item, top, labels),
  box(item) {
    const strips = stripsOf(item.mark);
    const [first] = strips;
    const last = strips.at(-1) ?? first;
    const y = (first?.y ?? 0) - 4;
    return { ...besideBar(item), y, height: (last?.y ?? 0) + (last?.height ?? 0) + 4 - y };
  },
  distance(item, x, y) {
    if (!isOnBar(item, x)) return null;
    if (stripsOf(item.mark).some((strip) => y >= strip.y - 2 && y <= strip.y + strip.height + 2)) return NEAR_PX + 1;
    return item.mark.mode === 'read' && Math.abs(y - MID_PX) <= HOLD_PX / 2 ? NEAR_PX + 3 : null;
  },
};

/** Space around thin bars over a solid one. */
const HALO_PX = 2;
/** The number of notches of a torn edge, and how far they reach into the solid bar. */
const NOTCHES = 3;
const NOTCH_PX = HOLD_PX / NOTCHES / 2;

/**
 * Draws a hold: a solid bar of full height with its count in words, a thick tick where it was acquired, and up to three
 * stripes for hold counts above one. The orphaned part is a dashed outline with a torn left edge. A read hold is two thin
 * bars; permits are stacked blocks.
 */
export function drawHold(pen: Pen, palette: Palette, item: HoldItem, top: number, labels: Labels): void {
  const y = top + MID_PX - HOLD_PX / 2;
  const solidEnd = item.tornX ?? item.x1;
  if (solidEnd > item.x0) {
    drawBody(pen, palette, item, solidEnd, top);
    if (item.mark.mode !== 'permit') drawStripes(pen, palette, item, solidEnd, y);
    drawTogether(pen, palette.onHold, item, item.x0, solidEnd, y);
    drawCount(pen, palette, item, item.tornX === null ? solidEnd : solidEnd - NOTCH_PX, y, labels);
  }
  if (item.tornX !== null) drawTorn(pen, palette, item, item.tornX, y, labels);
  if (item.hasStart) {
    pen.fillStyle = palette.ink;
    pen.fillRect(Math.round(item.x0) - 1.5, y - 4, 3, HOLD_PX + 8);
  }
}

function drawBody(pen: Pen, palette: Palette, item: HoldItem, x1: number, top: number): void {
  const isFading = item.mark.to === null && item.tornX === null && !palette.isCalm;
  const solid = isFading ? Math.max(item.x0, x1 - FADE_PX) : x1;
  const strips = stripsOf(item.mark);
  if (item.overOwnX !== null) {
    pen.fillStyle = palette.page;
    for (const { y, height } of strips) {
      pen.fillRect(item.x0, top + y - HALO_PX, item.overOwnX - item.x0, height + HALO_PX * 2);
    }
  }
  const bar = (from: number, to: number) => {
    if (item.mark.mode === 'permit' && item.mark.permit === null) drawUnits(pen, item, from, to, top);
    else for (const { y, height } of strips) pen.fillRect(from, top + y, to - from, height);
  };
  pen.fillStyle = palette.hold;
  bar(item.x0, solid);
  if (isFading) fadeSteps(pen, palette, solid, x1, bar);
}

/** One block for each permit. With more than `MOST_UNITS`, one bar, as high as the share of the most permits held. */
function drawUnits(pen: Pen, item: HoldItem, from: number, to: number, top: number): void {
  const { deepest } = item.mark;
  for (const range of item.stripes) {
    const x0 = Math.max(from, range.x0);
    const width = Math.min(to, range.x1) - x0;
    if (width <= 0) continue;
    if (deepest > MOST_UNITS) {
      const height = Math.max(3, (HOLD_PX * range.count) / deepest);
      pen.fillRect(x0, top + MID_PX + HOLD_PX / 2 - height, width, height);
      continue;
    }
    for (let unit = 0; unit < range.count; unit++) {
      const { y, height } = unitStrip(unit, deepest);
      pen.fillRect(x0, top + y, width, height);
    }
  }
}

const HATCH_PX = 7;

/** Hatches the ranges in which another thread works too. */
function drawTogether(pen: Pen, ink: string, { together }: HoldItem, from: number, to: number, y: number): void {
  for (const range of together) {
    const x0 = Math.max(from, range.x0);
    const x1 = Math.min(to, range.x1);
    if (x1 - x0 < 1) continue;
    pen.save();
    pen.beginPath();
    pen.rect(x0, y + 1, x1 - x0, HOLD_PX - 2);
    pen.clip();
    pen.strokeStyle = ink;
    pen.lineWidth = 1.5;
    pen.beginPath();
    for (let x = Math.floor((x0 - HOLD_PX) / HATCH_PX) * HATCH_PX; x < x1; x += HATCH_PX) {
      pen.moveTo(x, y + HOLD_PX);
      pen.lineTo(x + HOLD_PX, y);
    }
    pen.stroke();
    pen.restore();
  }
}

function drawStripes(pen: Pen, palette: Palette, item: HoldItem, x1: number, y: number): void {
  pen.fillStyle = palette.onHold;
  for (const stripe of item.stripes) {
    const to = Math.min(stripe.x1, x1) - 2;
    if (to - stripe.x0 < 2) continue;
    const deepest = item.mark.mode === 'read' ? 2 : 4; // a thin bar has room for one
    for (let level = 2; level <= Math.min(stripe.count, deepest); level++) {
      pen.fillRect(stripe.x0, y + HOLD_PX - 5 - (level - 2) * 4, to - stripe.x0, 2);
    }
  }
}

function drawCount(pen: Pen, palette: Palette, item: HoldItem, x1: number, y: number, labels: Labels): void {
  const { mode, permit } = item.mark;
  if (permit !== null && permit.slots > 1) return;
  const x0 = Math.max(0, item.x0) + 9;
  const right = Math.min(x1, item.x1) - 5;
  const text = holdWords(item, right - x0, palette);
  const width = labelWidth(text, palette.labelPx) * BOLD_FACTOR;
  const x = text === '' ? null : labels.place(x0, right, width, y + HOLD_PX / 2);
  if (x === null) return;
  pen.font = labelFont(palette, 600);
  pen.textAlign = 'left';
  pen.textBaseline = 'middle';
  drawPlate(pen, palette, item, x, y, width);
  pen.fillStyle = mode === 'read' ? palette.ink : palette.onHold;
  const lift = item.stripes.length > 0 && mode !== 'read' && mode !== 'permit' ? -2 : 0;
  pen.fillText(text, x, y + HOLD_PX / 2 + 0.5 + lift);
}

/** A background behind words, where lines would run through them. */
function drawPlate(
  pen: Pen,
  palette: Palette,
  { mark, overOwnX, together }: HoldItem,
  x: number,
  y: number,
  width: number,
): void {
  const isOverOwn = overOwnX !== null && x < overOwnX;
  const isOverGaps = (mark.mode === 'permit' && mark.deepest > 1) || isHatched(together, x, x + width);
  if (!isOverOwn && !isOverGaps) return;
  pen.fillStyle = isOverOwn ? palette.page : palette.hold;
  const high = plateHeight(palette);
  pen.fillRect(x - 3, y + (HOLD_PX - high) / 2, width + 6, high);
}

function plateHeight({ labelPx }: Palette): number {
  return Math.max(HOLD_PX - 8, labelPx + 2);
}

function isHatched(together: HoldItem['together'], x0: number, x1: number): boolean {
  return together.some((range) => range.x0 < x1 && range.x1 > x0);
}

function holdWords(item: HoldItem, room: number, { words, labelPx }: Palette): string {
  if (room < LABEL_FROM_PX) return '';
  const { holds, withToken } = words.marks.label;
  const { deepest, mode, token } = item.mark;
  const count = `×${deepest}`;
  const whole = holds[mode](deepest);
  const all = token === null ? [whole, count] : [withToken(whole, token), `#${token}`, count];
  return all.find((text) => labelWidth(text, labelPx) * BOLD_FACTOR <= room) ?? '';
}

function drawTorn(pen: Pen, palette: Palette, item: HoldItem, x: number, y: number, labels: Labels): void {
  const x1 = Math.max(x + 2, item.x1);
  drawTogether(pen, palette.lost, item, x, x1, y);
  // the notches of the torn edge are cut into the solid bar
  if (x > item.x0 + 1) {
    pen.fillStyle = palette.page;
    for (let i = 0; i < NOTCHES; i++) {
      pen.beginPath();
      pen.arc(x, y + NOTCH_PX * (2 * i + 1), NOTCH_PX, Math.PI / 2, -Math.PI / 2);
      pen.fill();
    }
  }
  pen.strokeStyle = palette.lost;
  pen.lineWidth = 2;
  pen.setLineDash([6, 4]);
  pen.beginPath();
  pen.moveTo(x + 1, y + 1);
  pen.lineTo(x1, y + 1);
  if (item.mark.to !== null) pen.lineTo(x1, y + HOLD_PX - 1);
  else pen.moveTo(x1, y + HOLD_PX - 1);
  pen.lineTo(x + 1, y + HOLD_PX - 1);
  pen.stroke();
  pen.setLineDash([]);
  const { believes, clientGone, notRenewed } = palette.words.marks.label;
  const left = Math.max(0, x);
  const words = item.mark.belief ? believes : item.isClientGone ? clientGone : notRenewed;
  const widthOf = (word: string) => labelWidth(word, palette.labelPx);
  const text = words.find((word) => widthOf(word) < x1 - left - 24);
  if (text === undefined || x1 - left < LABEL_FROM_PX) return;
  const place = labels.place(left + 12, x1 - 4, widthOf(text), y + HOLD_PX / 2);
  if (place === null) return;
  if (isHatched(item.together, place, place + widthOf(text))) {
    pen.fillStyle = palette.page;
    const high = plateHeight(palette);
    pen.fillRect(place - 3, y + (HOLD_PX - high) / 2, widthOf(text) + 6, high);
  }
  pen.font = labelFont(palette);
  pen.textAlign = 'left';
  pen.textBaseline = 'middle';
  pen.fillStyle = palette.ink;
  pen.fillText(text, place, y + HOLD_PX / 2 + 0.5);
}
