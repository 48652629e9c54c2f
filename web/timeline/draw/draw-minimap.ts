import { COLUMN_PX, type MinimapColumns } from '../layout/minimap-columns.ts';
import type { Scale } from '../layout/scale.ts';
import type { UnknownRange } from '../layout/unknown-ranges.ts';
import type { UnwatchedRange } from '../layout/unwatched.ts';
import type { ProblemTick } from '../model/problem-ticks.ts';
import type { Palette, Pen } from './pen/pen.ts';

const DOTS_APART_PX = 8;

/**
 * Draws all of memory in one strip: a bar for each column, with the share about waiting at its bottom, and ticks above
 * it where a lease expired or a problem began.
 * - Diagonal lines: no source was watched. Lines only in the upper half: some sources were not watched.
 * - Dots: the events are not loaded.
 * - A filled area: the range was dropped from memory, or is before the first event.
 */
export function drawMinimap(
  pen: Pen,
  palette: Palette,
  columns: MinimapColumns,
  view: {
    scale: Scale;
    height: number;
    unwatched: readonly UnwatchedRange[];
    unknown: readonly UnknownRange[];
    problems: readonly ProblemTick[];
  },
): void {
  const { scale, height } = view;
  pen.fillStyle = palette.band;
  pen.fillRect(0, 0, scale.width, height);
  for (const { why, from, to } of view.unknown) {
    const [x0, x1] = [Math.max(0, scale.x(from)), Math.min(scale.width, scale.x(to))];
    const isInMemory = why !== 'dropped' && why !== 'before-first';
    pen.fillStyle = isInMemory ? palette.muted : palette.line;
    if (!isInMemory) pen.fillRect(x0, 0, x1 - x0, height);
    else for (let x = x0 + DOTS_APART_PX / 2; x < x1; x += DOTS_APART_PX) pen.fillRect(x, height / 2 - 1, 2, 2);
  }
  const room = height - 8;
  columns.counts.forEach((count, column) => {
    if (count === 0) return;
    // the square root keeps single events visible beside busy columns
    const tall = Math.max(3, Math.sqrt(count / columns.most) * room);
    const waiting = (tall * (columns.waits[column] ?? 0)) / count;
    pen.fillStyle = palette.hold;
    pen.fillRect(column * COLUMN_PX, height - tall, COLUMN_PX, tall - waiting);
    pen.fillStyle = palette.wait;
    pen.fillRect(column * COLUMN_PX, height - waiting, COLUMN_PX, waiting);
  });
  pen.fillStyle = palette.lost;
  columns.lost.forEach((isLost, column) => {
    if (isLost === 1) pen.fillRect(column * COLUMN_PX - 1, 0, 4, 5);
  });
  for (const { from, isCritical } of view.problems) {
    const x = Math.round(scale.x(from));
    if (x >= 0 && x <= scale.width) pen.fillRect(x - 1, 0, isCritical ? 3 : 2, isCritical ? height : 7);
  }
  pen.strokeStyle = palette.muted;
  pen.lineWidth = 1;
  for (const { from, to, areAll } of view.unwatched) {
    const x0 = Math.max(0, scale.x(from));
    const x1 = Math.min(scale.width, scale.x(to));
    const tall = areAll ? height : height / 2;
    pen.beginPath();
    for (let x = x0; x < x1; x += 5) {
      pen.moveTo(x, 0);
      pen.lineTo(Math.min(x1, x + tall / 2), tall);
    }
    pen.stroke();
  }
}
