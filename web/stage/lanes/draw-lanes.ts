import { isCounterKind } from '../../../shared/events/kinds/kinds.ts';
import { drawArrow } from '../../timeline/draw/draw-arrow.ts';
import { drawCounter } from '../../timeline/draw/draw-counter.ts';
import { drawGridLines, drawRuler } from '../../timeline/draw/draw-grid.ts';
import { drawLane } from '../../timeline/draw/draw-lane.ts';
import { drawLease } from '../../timeline/draw/draw-lease.ts';
import { drawTop } from '../../timeline/draw/draw-top.ts';
import { Labels } from '../../timeline/draw/labels.ts';
import type { Palette, Pen } from '../../timeline/draw/pen.ts';
import { RENEWAL_PX, RULER_PX } from '../../timeline/layout/metrics.ts';
import type { SceneRow } from '../../timeline/layout/scene.ts';
import { type LanesScene, labelledTicks } from './lanes-scene.ts';

/** Draws the lanes with the functions of the timeline. Everything to the right of the cursor is dimmed. */
export function drawLanes(
  pen: Pen,
  palette: Palette,
  lanes: LanesScene,
  width: number,
  secondText: (second: number) => string,
): void {
  const { scene } = lanes;
  const ticks = labelledTicks(lanes.ticks, secondText);
  pen.globalAlpha = 1;
  pen.setLineDash([]);
  pen.fillStyle = palette.page;
  pen.fillRect(0, 0, width, lanes.height + RULER_PX);
  pen.save();
  pen.translate(0, RULER_PX);
  for (const { row } of scene.rows) {
    if (row.kind !== 'thread' || row.lane % 2 !== 0) continue;
    pen.fillStyle = palette.band;
    pen.fillRect(0, row.y, width, row.height);
  }
  drawGridLines(pen, palette, ticks, 0, lanes.height);
  const labels = new Labels();
  for (const row of scene.rows) drawRow(pen, palette, row, lanes, labels);
  for (const arrow of scene.arrows) drawArrow(pen, palette, arrow, labels);
  for (const { x, top } of lanes.missing) drawMissing(pen, palette, x, top + RENEWAL_PX);
  pen.restore();
  drawRuler(pen, palette, ticks, width);
  drawTop(pen, palette, {
    width,
    height: lanes.height + RULER_PX,
    scrollTop: 0,
    cursorX: lanes.cursorX,
    hovered: null,
  });
  drawCursor(pen, palette, lanes);
}

function drawRow(
  pen: Pen,
  palette: Palette,
  { row, track, items }: SceneRow,
  { scene }: LanesScene,
  labels: Labels,
): void {
  const { scale, now } = scene;
  if (track && row.kind === 'key' && isCounterKind(track.kind)) {
    drawCounter(pen, palette, track, row.y, { scale, now }, labels);
  } else if (track && row.kind === 'key') {
    drawLease(pen, palette, track, row.y, { scale, now, lostFrom: (piece) => scene.lostFrom(track, piece) });
  }
  drawLane(pen, palette, items, row.y, scene.scale, labels);
}

/** A hollow, dashed triangle where a renewal is missing. */
function drawMissing(pen: Pen, palette: Palette, x: number, bottom: number): void {
  pen.beginPath();
  pen.moveTo(x, bottom - 11);
  pen.lineTo(x + 6.5, bottom);
  pen.lineTo(x - 6.5, bottom);
  pen.closePath();
  pen.fillStyle = palette.page;
  pen.fill();
  pen.strokeStyle = palette.lost;
  pen.lineWidth = 1.5;
  pen.setLineDash([3, 2]);
  pen.stroke();
  pen.setLineDash([]);
}

function drawCursor(pen: Pen, palette: Palette, { cursorX, height }: LanesScene): void {
  const x = Math.round(cursorX * 2) / 2;
  pen.fillStyle = palette.ink;
  pen.fillRect(x - 0.75, RULER_PX - 8, 1.5, height + 8);
  pen.beginPath();
  pen.moveTo(x - 6, RULER_PX - 12);
  pen.lineTo(x + 6, RULER_PX - 12);
  pen.lineTo(x, RULER_PX - 2);
  pen.closePath();
  pen.fill();
}
