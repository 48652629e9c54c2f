import { labelWidth, RULER_PX } from '../../layout/metrics.ts';
import { IDLE_PX, type Scale } from '../../layout/scale.ts';
import type { Tick } from '../../layout/ticks.ts';
import { labelFont, type Palette, type Pen } from '../pen/pen.ts';
import type { Layer } from './layer.ts';

/** Draws thin lines at round instants. */
function drawGridLines(pen: Pen, palette: Palette, ticks: readonly Tick[], top: number, bottom: number): void {
  pen.fillStyle = palette.line;
  for (const tick of ticks) pen.fillRect(Math.round(tick.x), top, 1, bottom - top);
}

/** Lines at round instants across all lanes. */
export const gridLines: Layer = ({ pen, palette, ticks, top, bottom }) => {
  drawGridLines(pen, palette, ticks, top, bottom);
};

/** The lowest line of the ruler's text: below it is the head of a cursor. */
const RULER_TEXT_PX = 18.5;

/** Draws the ruler along the top: ticks with the time of day. */
export function drawRuler(pen: Pen, palette: Palette, ticks: readonly Tick[], width: number): void {
  pen.fillStyle = palette.page;
  pen.fillRect(0, 0, width, RULER_PX);
  pen.fillStyle = palette.line;
  pen.fillRect(0, RULER_PX - 1, width, 1);
  pen.font = labelFont(palette);
  const middle = RULER_TEXT_PX - palette.labelPx / 2;
  pen.textAlign = 'left';
  pen.textBaseline = 'middle';
  for (const tick of ticks) {
    pen.fillStyle = palette.muted;
    pen.fillRect(Math.round(tick.x), RULER_PX - 7, 1, 7);
    const end = tick.x + 4 + labelWidth(tick.label, palette.labelPx);
    if (tick.label !== '' && end <= width) pen.fillText(tick.label, tick.x + 4, middle);
  }
}

/** Draws collapsed ranges: two zigzag lines across the lanes, with the length that is left out between them. */
export function drawIdle(
  pen: Pen,
  palette: Palette,
  scale: Scale,
  top: number,
  bottom: number,
  wordsOf: (micros: number) => string,
): void {
  for (const piece of scale.idle) {
    const middle = (piece.x0 + piece.x1) / 2;
    pen.fillStyle = palette.page;
    pen.fillRect(piece.x0 + 8, top, IDLE_PX - 16, bottom - top);
    pen.strokeStyle = palette.muted;
    pen.lineWidth = 1;
    for (const x of [piece.x0 + 8, piece.x1 - 8]) {
      pen.beginPath();
      for (let y = top, side = 0; y <= bottom; y += 6, side = 1 - side) {
        if (y === top) pen.moveTo(x + side * 4 - 2, y);
        else pen.lineTo(x + side * 4 - 2, y);
      }
      pen.stroke();
    }
    pen.font = labelFont(palette);
    pen.textAlign = 'center';
    pen.textBaseline = 'middle';
    pen.fillStyle = palette.muted;
    pen.fillText(wordsOf(piece.to - piece.from), middle, top + RULER_PX / 2 - 1);
  }
}
