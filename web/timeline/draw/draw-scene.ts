import { isCounterKind } from '../../../shared/events/kinds/kinds.ts';
import { durationText } from '../../ui/time-text.ts';
import { RULER_PX } from '../layout/metrics.ts';
import type { Scene, SceneRow } from '../layout/scene.ts';
import { ticksOf } from '../layout/ticks.ts';
import { drawArrow } from './draw-arrow.ts';
import { drawBlindSpot } from './draw-blind.ts';
import { drawCounter } from './draw-counter.ts';
import { drawGridLines, drawIdle, drawRuler } from './draw-grid.ts';
import { drawLane } from './draw-lane.ts';
import { drawLease } from './draw-lease.ts';
import { drawSummary } from './draw-summary.ts';
import { drawUnknown } from './draw-unknown.ts';
import { Labels } from './labels.ts';
import type { Palette, Pen } from './pen.ts';

export type Paper = {
  readonly width: number;
  readonly height: number;
  readonly scrollTop: number;
  /** Minutes that the user's time zone is behind UTC. */
  readonly offsetMinutes: number;
};

/** Draws the whole picture: bands, grid, lanes, arrows, blind spots, collapsed stretches, and the ruler above them. */
export function drawScene(pen: Pen, palette: Palette, scene: Scene, paper: Paper): void {
  const { width, height } = paper;
  const ticks = ticksOf(scene.scale, paper.offsetMinutes);
  pen.globalAlpha = 1;
  pen.setLineDash([]);
  pen.fillStyle = palette.page;
  pen.fillRect(0, 0, width, height);

  pen.save();
  pen.beginPath();
  pen.rect(0, RULER_PX, width, height - RULER_PX);
  pen.clip();
  pen.translate(0, RULER_PX - paper.scrollTop);
  const top = paper.scrollTop;
  const bottom = top + height - RULER_PX;
  for (const { row } of scene.rows) drawBand(pen, palette, row, width);
  drawGridLines(pen, palette, ticks, top, bottom);
  for (const part of scene.unknown) drawUnknown(pen, palette, part, { scale: scene.scale, top, bottom });
  drawDropped(pen, palette, scene);
  const labels = new Labels();
  for (const row of scene.rows) drawRow(pen, palette, row, scene, labels);
  for (const arrow of scene.arrows) drawArrow(pen, palette, arrow, labels);
  drawBlind(pen, palette, scene);
  pen.restore();

  drawRuler(pen, palette, ticks, width);
  drawIdle(pen, palette, scene.scale, 0, height, (micros) => durationText(micros / 1000, palette.words.time));
}

function drawBand(pen: Pen, palette: Palette, row: SceneRow['row'], width: number): void {
  if (row.kind === 'thread' && row.lane % 2 === 0) {
    pen.fillStyle = palette.band;
    pen.fillRect(0, row.y, width, row.height);
  }
  if (row.kind === 'lock' || row.kind === 'quiet') {
    pen.fillStyle = palette.line;
    pen.fillRect(0, row.y, width, 1);
  }
}

function drawRow(pen: Pen, palette: Palette, { row, track, items }: SceneRow, scene: Scene, labels: Labels): void {
  if (track && row.kind === 'key' && isCounterKind(track.kind)) {
    drawCounter(pen, palette, track, row.y, { scale: scene.scale, now: scene.now }, labels);
  } else if (track && row.kind === 'key') {
    drawLease(pen, palette, track, row.y, {
      scale: scene.scale,
      now: scene.now,
      lostFrom: (piece) => scene.lostFrom(track, piece),
    });
  }
  if (track && row.kind === 'lock' && !row.isOpen) drawSummary(pen, palette, track, row.y, scene.scale, scene.now);
  drawLane(pen, palette, items, row.y, scene.scale, labels);
}

function drawBlind(pen: Pen, palette: Palette, scene: Scene): void {
  for (const spot of scene.blindSpots) {
    for (const { top, bottom } of stretchesOf(scene.rows, (id) => id.startsWith(`${spot.source}/`))) {
      drawBlindSpot(pen, palette, spot, { scale: scene.scale, now: scene.now, top, bottom });
    }
  }
}

/** Draws the stretches in which a lock was dropped from memory, behind its own lanes only. */
function drawDropped(pen: Pen, palette: Palette, { rows, scale, now, droppedOf }: Scene): void {
  const ids = new Set(rows.flatMap(({ row }) => (row.kind === 'quiet' ? [] : [row.lockId])));
  for (const id of ids) {
    for (const { from, to } of droppedOf(id)) {
      for (const { top, bottom } of stretchesOf(rows, (other) => other === id)) {
        drawUnknown(
          pen,
          palette,
          { why: 'lock-dropped', from, to: to ?? now, edge: to ?? now, done: 0 },
          { scale, top, bottom },
        );
      }
    }
  }
}

/** The heights of consecutive rows of some locks, so that the rows of other locks are not covered. */
function stretchesOf(
  rows: readonly SceneRow[],
  isMeant: (lockId: string) => boolean,
): { top: number; bottom: number }[] {
  const found: { top: number; bottom: number }[] = [];
  let isOpen = false;
  for (const { row } of rows) {
    const isOwn = row.kind !== 'quiet' && isMeant(row.lockId);
    const last = found.at(-1);
    if (isOwn && isOpen && last) last.bottom = row.y + row.height;
    else if (isOwn) found.push({ top: row.y, bottom: row.y + row.height });
    isOpen = isOwn;
  }
  return found;
}
