import { secondsText } from '../../../ui/time-text.ts';
import { labelWidth } from '../../layout/metrics.ts';
import type { Scale } from '../../layout/scale.ts';
import type { UnknownRange } from '../../layout/unknown-ranges.ts';
import { labelFont, type Palette, type Pen } from '../pen/pen.ts';
import { type Layer, rangesOf } from './layer.ts';

/** An unknown range of the whole view, or of the lanes of one lock. */
type DrawnRange = Omit<UnknownRange, 'why'> & { readonly why: UnknownRange['why'] | 'lock-dropped' };

const DOTS_APART_PX = 12;
const LABEL_PX = 18;

/** Ranges of the whole view that cannot be shown. */
export const unknownRanges: Layer = ({ pen, palette, scene, top, bottom }) => {
  for (const part of scene.unknown)
    if (part.why !== 'outlined') drawUnknown(pen, palette, part, { scale: scene.scale, top, bottom });
};

/** Ranges in which only the outline of a lock is known: its lanes are unknown until its own events are read. */
export const outlinedLanes: Layer = ({ pen, palette, scene: { rows, scale, unknown, isWhole } }) => {
  for (const part of unknown) {
    if (part.why !== 'outlined') continue;
    const lanes = rows.filter(({ row }) => row.kind === 'key' || row.kind === 'thread');
    const ids = new Set(lanes.flatMap(({ row }) => (row.kind === 'quiet' ? [] : [row.lockId])));
    for (const id of ids) {
      if (isWhole(id)) continue;
      for (const range of rangesOf(lanes, (other) => other === id)) {
        drawUnknown(pen, palette, part, { scale, ...range });
      }
    }
  }
};

/** Ranges in which a lock was dropped from memory, behind its own lanes only. */
export const droppedLocks: Layer = ({ pen, palette, scene: { rows, scale, now, droppedOf } }) => {
  const ids = new Set(rows.flatMap(({ row }) => (row.kind === 'quiet' ? [] : [row.lockId])));
  for (const id of ids) {
    for (const { from, to } of droppedOf(id)) {
      const part = { why: 'lock-dropped', from, to: to ?? now, edge: to ?? now, done: 0 } as const;
      for (const range of rangesOf(rows, (other) => other === id)) {
        drawUnknown(pen, palette, part, { scale, ...range });
      }
    }
  }
};

/**
 * Draws a range that was watched but cannot be shown. It is behind the lanes: a hold that began in it is drawn over
 * it.
 *
 *   dropped   ░░░░░░░┃          a muted area with a solid edge: memory goes back to here
 *   lock      ┃░░░░░░░          the same from where a single lock was dropped, over its lanes only
 *   unloaded  · · · ·           dots: the server has it, this page has not read it
 */
export function drawUnknown(
  pen: Pen,
  palette: Palette,
  part: DrawnRange,
  view: { scale: Scale; top: number; bottom: number },
): void {
  const { scale, top, bottom } = view;
  const x0 = Math.max(0, scale.x(part.from));
  const x1 = Math.min(scale.width, scale.x(part.to));
  if (x1 <= x0 || bottom <= top) return;
  const isOfLock = part.why === 'lock-dropped';
  const isDropped = isOfLock || part.why === 'dropped' || part.why === 'before-first';
  if (isDropped) {
    pen.globalAlpha = 0.6;
    pen.fillStyle = palette.line;
    pen.fillRect(x0, top, x1 - x0, bottom - top);
    pen.globalAlpha = 1;
    pen.fillStyle = palette.muted;
    if (!isOfLock || scale.x(part.from) >= 0) pen.fillRect(isOfLock ? x0 : x1 - 2, top, 2, bottom - top);
  } else drawDots(pen, palette, { x0, x1, top, bottom });
  drawLabel(pen, palette, labelOf(part, palette), {
    x0,
    x1,
    top,
    bottom,
    width: scale.width,
    isAtEdge: isDropped && !isOfLock,
  });
}

function drawDots(pen: Pen, palette: Palette, box: { x0: number; x1: number; top: number; bottom: number }): void {
  pen.fillStyle = palette.muted;
  pen.globalAlpha = 0.7;
  for (let y = Math.ceil(box.top / DOTS_APART_PX) * DOTS_APART_PX; y < box.bottom; y += DOTS_APART_PX) {
    for (let x = box.x0 + DOTS_APART_PX / 2; x < box.x1; x += DOTS_APART_PX) pen.fillRect(x, y, 1.5, 1.5);
  }
  pen.globalAlpha = 1;
}

function labelOf({ why, edge, done }: DrawnRange, { words }: Palette): string {
  const { label } = words.marks;
  switch (why) {
    case 'dropped':
      return label.memoryBack(secondsText(edge));
    case 'lock-dropped':
      return label.lockDropped;
    case 'before-first':
      return label.nothingEarlier;
    case 'loading':
      return label.loading(Math.round(done * 100));
    case 'failed':
      return label.notRead;
    case 'unloaded':
      return label.notLoaded;
    case 'outlined':
      return label.outlined;
  }
}

function drawLabel(
  pen: Pen,
  palette: Palette,
  text: string,
  box: { x0: number; x1: number; top: number; bottom: number; width: number; isAtEdge: boolean },
): void {
  const width = labelWidth(text, palette.labelPx) + 10;
  const inside = box.isAtEdge ? box.x1 - width - 4 : (box.x0 + box.x1 - width) / 2;
  const hasRoom = box.x1 - box.x0 >= width + 4;
  // if the range is too narrow, the text is beside its edge
  const x = hasRoom ? inside : box.isAtEdge ? box.x1 + 4 : null;
  if (x === null || x + width > box.width) return;
  const y = hasRoom ? box.top + 4 : Math.max(box.top, box.bottom - LABEL_PX - 4);
  pen.fillStyle = palette.page;
  pen.fillRect(x, y, width, LABEL_PX);
  pen.font = labelFont(palette);
  pen.textAlign = 'center';
  pen.textBaseline = 'middle';
  pen.fillStyle = palette.muted;
  pen.fillText(text, x + width / 2, y + LABEL_PX / 2);
}
