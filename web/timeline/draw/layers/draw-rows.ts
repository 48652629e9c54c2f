import { isCounterKind } from '../../../../shared/events/kinds/kinds.ts';
import { markTop } from '../../layout/rows.ts';
import { drawCounter } from '../lanes/draw-counter.ts';
import { drawLane } from '../lanes/draw-lane.ts';
import { drawLease } from '../lanes/draw-lease.ts';
import { drawOutline } from '../lanes/draw-outline.ts';
import { drawSummary } from '../lanes/draw-summary.ts';
import type { Layer } from './layer.ts';

/** Draws the background of each row: a band under every second lane, a line above each lock. */
export const rowBands: Layer = ({ pen, palette, scene, width }) => {
  for (const { row } of scene.rows) {
    if (row.kind === 'thread' && row.lane % 2 === 0) {
      pen.fillStyle = palette.band;
      pen.fillRect(0, row.y, width, row.height);
    }
    if (row.kind === 'lock' || row.kind === 'quiet') {
      pen.fillStyle = palette.line;
      pen.fillRect(0, row.y, width, 1);
    }
  }
};

/** Draws what is in each row: the lease or the count of a lock, all its holds in one line, the marks of a lane. */
export const rowContents: Layer = ({ pen, palette, scene, labels }) => {
  const { scale, now, goneSince, letterOf, outline } = scene;
  const parts = scene.unknown.filter(({ why }) => why === 'outlined');
  for (const { row, track, items } of scene.rows) {
    if (track && row.kind === 'key' && isCounterKind(track.kind)) {
      drawCounter(pen, palette, track, row.y, { scale, now }, labels);
    } else if (track && row.kind === 'key') {
      drawLease(pen, palette, track, row.y, { scale, now, lostFrom: (piece) => scene.lostFrom(track, piece) });
    }
    const isOutlined = row.kind === 'lock' && !scene.isWhole(row.lockId);
    const lock = isOutlined ? outline?.locks.get(row.lockId) : undefined;
    if (lock && outline) drawOutline(pen, palette, { outline, lock, parts, scale, top: row.y });
    if (track && row.kind === 'lock') {
      drawSummary(pen, palette, track, row.y, { scale, now, goneSince, isOpen: row.isOpen, letterOf, labels });
    }
    drawLane(pen, palette, items, markTop(row), scale, labels);
  }
};
