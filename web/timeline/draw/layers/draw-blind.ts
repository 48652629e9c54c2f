import type { RedisTime } from '../../../../shared/base/time.ts';
import { type BlindSpot, endOfSpot } from '../../../data/window/blind-spots.ts';
import type { Words } from '../../../words/words.ts';
import { labelWidth, RULER_PX } from '../../layout/metrics.ts';
import type { Scale } from '../../layout/scale.ts';
import type { Scene } from '../../layout/scene.ts';
import { labelFont, type Palette, type Pen } from '../pen/pen.ts';
import { type Layer, rangesOf } from './layer.ts';

const APART_PX = 9;

/** The blind spots of each source, over its own lanes only. */
export const blindSpots: Layer = ({ pen, palette, scene }) => {
  for (const spot of scene.blindSpots) {
    for (const { top, bottom } of rangesOf(scene.rows, (id) => id.startsWith(`${spot.source}/`))) {
      drawBlindSpot(pen, palette, spot, { scale: scene.scale, now: scene.now, top, bottom });
    }
  }
};

/** Marks restarts and failovers on the ruler where their blind spots end. The lanes may have no room for words. */
export function drawRulerSigns(pen: Pen, palette: Palette, spots: readonly BlindSpot[], scale: Scale): void {
  pen.font = labelFont(palette, 600, 14);
  pen.textAlign = 'center';
  pen.textBaseline = 'middle';
  for (const { failover, to } of spots) {
    const x = failover && to !== null ? scale.x(to) : -1;
    if (!failover || x < 0 || x > scale.width) continue;
    pen.fillStyle = palette.page;
    pen.fillRect(x - 8, 2, 16, RULER_PX - 4);
    pen.fillStyle = palette.ink;
    pen.fillText(failover.how === 'restarted' ? '↻' : '⇄', x, RULER_PX / 2);
  }
}

/** Up to this distance beside a blind spot, the pointer is on it, so that narrow ones can be hit. */
const NEAR_PX = 5;

/** The blind spot at a place of the picture: of the source of the row there, or of any source on the ruler. */
export function blindSpotAt(scene: Scene, x: number, lockId: string | null): BlindSpot | undefined {
  return scene.blindSpots.find((spot) => {
    if (lockId !== null && !lockId.startsWith(`${spot.source}/`)) return false;
    return (
      x >= scene.scale.x(spot.from) - NEAR_PX &&
      x <= scene.scale.x(endOfSpot(spot, scene.now, scene.scale.span.to)) + NEAR_PX
    );
  });
}

/** Values of `reason` that do not show why watching stopped. */
const WITHOUT_REASON: ReadonlySet<string> = new Set(['unknown', 'watching-again']);

/** Why nothing was seen: `not watching: connection lost`, and whether another server answered after it. */
export function spotText({ reason, failover }: BlindSpot, words: Words): string {
  const { notWatching } = words.marks.label;
  const why = WITHOUT_REASON.has(reason)
    ? undefined
    : Object.entries(words.problems.blind).find(([id]) => id === reason)?.[1];
  const text = why === undefined ? notWatching : `${notWatching}: ${why}`;
  return failover ? `${text} · ${failoverText(failover, words)}` : text;
}

function failoverText({ how, to }: NonNullable<BlindSpot['failover']>, { servers }: Words): string {
  return how === 'restarted' ? servers.restarted : servers.failoverTo(to);
}

/** Draws a blind spot: diagonal lines across the lanes from `top` to `bottom`, with words if there is room. */
function drawBlindSpot(
  pen: Pen,
  palette: Palette,
  spot: BlindSpot,
  view: { scale: Scale; now: RedisTime; top: number; bottom: number },
): void {
  const { scale, now, top, bottom } = view;
  const x0 = Math.max(0, scale.x(spot.from));
  const x1 = Math.min(scale.width, Math.max(x0 + 3, scale.x(endOfSpot(spot, now, scale.span.to))));
  if (x1 <= 0 || x0 >= scale.width || bottom <= top) return;
  pen.save();
  pen.beginPath();
  pen.rect(x0, top, x1 - x0, bottom - top);
  pen.fillStyle = palette.page;
  pen.fill();
  pen.clip();
  pen.strokeStyle = palette.muted;
  pen.lineWidth = 1;
  pen.beginPath();
  const height = bottom - top;
  for (let x = Math.floor((x0 - height) / APART_PX) * APART_PX; x < x1; x += APART_PX) {
    pen.moveTo(x, top);
    pen.lineTo(x + height, bottom);
  }
  pen.stroke();
  pen.restore();
  if (spot.failover) drawFailover(pen, palette, spot.failover, { x: x1, top, bottom, width: scale.width });
  const text = [spotText(spot, palette.words), palette.words.marks.label.notWatching].find(
    (words) => labelWidth(words, palette.labelPx) + 10 <= x1 - x0,
  );
  if (text === undefined) return;
  const width = labelWidth(text, palette.labelPx) + 10;
  const middle = (x0 + x1) / 2;
  pen.fillStyle = palette.page;
  pen.fillRect(middle - width / 2, top + 4, width, palette.labelPx + 6);
  pen.font = labelFont(palette);
  pen.textAlign = 'center';
  pen.textBaseline = 'middle';
  pen.fillStyle = palette.muted;
  pen.fillText(text, middle, top + 7 + palette.labelPx / 2);
}

/** Draws a double line across the lanes at the end of a failover or restart, with words beside it if there is room. */
function drawFailover(
  pen: Pen,
  palette: Palette,
  { how, to }: NonNullable<BlindSpot['failover']>,
  { x, top, bottom, width }: { x: number; top: number; bottom: number; width: number },
): void {
  pen.strokeStyle = palette.ink;
  pen.lineWidth = 1;
  pen.beginPath();
  for (const at of [x - 1.5, x + 1.5]) {
    pen.moveTo(at, top);
    pen.lineTo(at, bottom);
  }
  pen.stroke();
  const text = failoverText({ how, to }, palette.words);
  const room = labelWidth(text, palette.labelPx) + 10;
  if (x + room + 4 > width) return;
  pen.fillStyle = palette.page;
  pen.fillRect(x + 4, top + 4, room, palette.labelPx + 6);
  pen.font = labelFont(palette);
  pen.textAlign = 'left';
  pen.textBaseline = 'middle';
  pen.fillStyle = palette.ink;
  pen.fillText(text, x + 9, top + 7 + palette.labelPx / 2);
}
