import { durationText } from '../../ui/time-text.ts';
import { RULER_PX } from '../layout/metrics.ts';
import type { Scene } from '../layout/scene.ts';
import { ticksOf } from '../layout/ticks.ts';
import { blindSpots, drawRulerSigns } from './layers/draw-blind.ts';
import { drawIdle, drawRuler, gridLines } from './layers/draw-grid.ts';
import { drawProblemTicks } from './layers/draw-problem-ticks.ts';
import { rowBands, rowContents } from './layers/draw-rows.ts';
import { droppedLocks, outlinedLanes, unknownRanges } from './layers/draw-unknown.ts';
import { verdictFlags } from './layers/draw-verdicts.ts';
import type { Layer } from './layers/layer.ts';
import { Labels } from './pen/labels.ts';
import type { Palette, Pen } from './pen/pen.ts';

type Paper = {
  readonly width: number;
  readonly height: number;
  readonly scrollTop: number;
  /** Minutes that the user's time zone is behind UTC. */
  readonly offsetMinutes: number;
};

/**
 * Everything on and behind the lanes, from back to front. `draw-top.ts` draws wake-ups above them, for the selected and
 * the hovered mark.
 */
const LAYERS: readonly Layer[] = [
  rowBands,
  gridLines,
  unknownRanges,
  outlinedLanes,
  droppedLocks,
  rowContents,
  verdictFlags,
  blindSpots,
];

/** Draws the whole picture: the layers, collapsed ranges, and the ruler above them. */
export function drawScene(pen: Pen, palette: Palette, scene: Scene, paper: Paper): void {
  const { width, height, scrollTop: top } = paper;
  const ticks = ticksOf(scene.scale, paper.offsetMinutes);
  pen.globalAlpha = 1;
  pen.setLineDash([]);
  pen.fillStyle = palette.page;
  pen.fillRect(0, 0, width, height);

  pen.save();
  pen.beginPath();
  pen.rect(0, RULER_PX, width, height - RULER_PX);
  pen.clip();
  pen.translate(0, RULER_PX - top);
  const sheet = { pen, palette, scene, width, top, bottom: top + height - RULER_PX, ticks, labels: new Labels() };
  for (const layer of LAYERS) layer(sheet);
  pen.restore();

  drawRuler(pen, palette, ticks, width);
  drawProblemTicks(pen, palette, scene.problems, scene.scale);
  drawRulerSigns(pen, palette, scene.blindSpots, scene.scale);
  drawIdle(pen, palette, scene.scale, 0, height, (micros) => durationText(micros / 1000, palette.words.time));
}
