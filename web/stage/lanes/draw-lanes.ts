import { wakeUps } from '../../timeline/draw/layers/draw-arrow.ts';
import { blindSpots } from '../../timeline/draw/layers/draw-blind.ts';
import { drawRuler, gridLines } from '../../timeline/draw/layers/draw-grid.ts';
import { rowContents } from '../../timeline/draw/layers/draw-rows.ts';
import { drawTop } from '../../timeline/draw/layers/draw-top.ts';
import type { Layer } from '../../timeline/draw/layers/layer.ts';
import { Labels } from '../../timeline/draw/pen/labels.ts';
import type { Palette, Pen } from '../../timeline/draw/pen/pen.ts';
import { RENEWAL_PX, RULER_PX } from '../../timeline/layout/metrics.ts';
import { type LanesScene, labelledTicks } from './lanes-scene.ts';

/** A band under every second lane, where its name is. */
const rowBands: Layer = ({ pen, palette, scene, width }) => {
  pen.fillStyle = palette.band;
  for (const { row } of scene.rows) {
    if (row.kind === 'thread' && row.lane % 2 === 0) pen.fillRect(0, row.y, width, row.height);
  }
};

/** `BACKGROUND` covers the whole width. `LAYERS` end at `drawnX`. Both are from back to front. */
const BACKGROUND: readonly Layer[] = [rowBands, gridLines];
const LAYERS: readonly Layer[] = [rowContents, wakeUps, blindSpots];
/** Half the width of a sign, so that a sign at the cursor is drawn whole. */
const SIGN_PX = 8;
const LABEL_LINE_PX = 16;

/**
 * Draws the lanes with the functions of the timeline. To the right of the cursor, marks are dimmed or not drawn. Words
 * that would reach there are left out until they have room.
 */
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
  const labels = new Labels(palette.labelPx, lanes.drawnX < width ? lanes.drawnX : undefined);
  const block = (x0: number, x1: number) => {
    for (let y = 0; y <= lanes.height; y += LABEL_LINE_PX) labels.block(x0, x1, y);
  };
  // a range that was not seen is drawn over everything
  for (const { from, to } of scene.blindSpots) block(scene.scale.x(from), to === null ? width : scene.scale.x(to));
  const sheet = { pen, palette, scene, width, top: 0, bottom: lanes.height, ticks, labels };
  for (const layer of BACKGROUND) layer(sheet);
  pen.beginPath();
  pen.rect(0, 0, lanes.drawnX + SIGN_PX, lanes.height);
  pen.clip();
  for (const layer of LAYERS) layer(sheet);
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

/** The head of the cursor is below the ruler's text. */
const HEAD_PX = 9;

function drawCursor(pen: Pen, palette: Palette, { cursorX, height }: LanesScene): void {
  const x = Math.round(cursorX * 2) / 2;
  pen.fillStyle = palette.ink;
  pen.fillRect(x - 0.75, RULER_PX - 6, 1.5, height + 6);
  pen.beginPath();
  pen.moveTo(x - 5.5, RULER_PX - HEAD_PX);
  pen.lineTo(x + 5.5, RULER_PX - HEAD_PX);
  pen.lineTo(x, RULER_PX - 1);
  pen.closePath();
  pen.fill();
}
