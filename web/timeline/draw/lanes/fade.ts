import type { Palette, Pen } from '../pen/pen.ts';

const STEPS = 7;

/** Draws the last part of an open bar so that it fades out towards now. With reduced motion it does not fade. */
export function fadeSteps(
  pen: Pen,
  palette: Palette,
  x0: number,
  x1: number,
  bar: (from: number, to: number) => void,
): void {
  if (palette.isCalm || x1 - x0 < STEPS) return bar(x0, x1);
  const step = (x1 - x0) / STEPS;
  for (let i = 0; i < STEPS; i++) {
    pen.globalAlpha = 1 - (i + 1) / (STEPS + 1);
    bar(x0 + i * step, x0 + (i + 1) * step);
  }
  pen.globalAlpha = 1;
}
