import { RULER_PX } from '../../layout/metrics.ts';
import type { Scale } from '../../layout/scale.ts';
import type { ProblemTick } from '../../model/problem-ticks.ts';
import type { Palette, Pen } from '../pen/pen.ts';

const TALL_PX = 7;
/** A tick closer than this to the previous tick is not drawn. */
const APART_PX = 3;
/** Up to this distance, the pointer is on a tick. */
const NEAR_PX = 5;

/** Draws where problems began, at the lower edge of the ruler: filled for a critical one. */
export function drawProblemTicks(pen: Pen, palette: Palette, ticks: readonly ProblemTick[], scale: Scale): void {
  let last = Number.NEGATIVE_INFINITY;
  pen.strokeStyle = palette.lost;
  pen.lineWidth = 1.5;
  for (const { from, isCritical } of ticks) {
    const x = scale.x(from);
    if (x < 0 || x > scale.width || x - last < APART_PX) continue;
    last = x;
    pen.beginPath();
    pen.moveTo(x, RULER_PX - 1);
    pen.lineTo(x - TALL_PX / 2, RULER_PX - 1 - TALL_PX);
    pen.lineTo(x + TALL_PX / 2, RULER_PX - 1 - TALL_PX);
    pen.closePath();
    pen.fillStyle = isCritical ? palette.lost : palette.page;
    pen.fill();
    pen.stroke();
  }
}

/** The problem whose tick is at a place of the ruler. */
export function problemAt(ticks: readonly ProblemTick[], scale: Scale, x: number): ProblemTick | undefined {
  const distance = ({ from }: ProblemTick) => Math.abs(scale.x(from) - x);
  const near = ticks.filter((tick) => distance(tick) <= NEAR_PX);
  return near.sort((a, b) => distance(a) - distance(b))[0];
}
