import { nameInId } from '../../../shared/state/lock-state.ts';
import { droppedOf } from '../../data/window/drops.ts';
import type { TimeSpan } from '../../data/window/time-span.ts';
import { cutInMiddle, visibleText } from '../../ui/visible-text.ts';
import { currentWords } from '../../words/language.ts';
import { drawScene } from '../draw/draw-scene.ts';
import { boxOfMark } from '../draw/lanes/mark-box.ts';
import { drawTop } from '../draw/layers/draw-top.ts';
import { inksOf, labelFont, type Palette, type Pen } from '../draw/pen/pen.ts';
import { RULER_PX } from '../layout/metrics.ts';
import type { Row } from '../layout/rows.ts';
import { makeScale } from '../layout/scale.ts';
import { sceneFrom } from '../layout/scene.ts';
import { hasManySources, placeText } from '../model/lock-place.ts';
import type { NameOf } from '../model/sentence.ts';
import type { TimelineStore } from '../store/timeline-store.ts';
import { boxesTogether, shownArrows } from './of-selection.ts';

/** Sizes in CSS pixels. A file has 2 device pixels for each, so that it is sharp when enlarged. */
const LANES_PX = 1160;
const NAMES_PX = 240;
const HEAD_PX = 40;
const FOOT_PX = 28;
const MOST_LANES_PX = 3000;
const RATIO = 2;
const LONGEST_NAME = 34;

type PictureText = {
  /** Above the lanes. */
  readonly title: string;
  /** Below the lanes, for example the range of time. */
  readonly foot: string;
  readonly nameOf: NameOf;
};

/**
 * Draws lanes with their names, and a title, as a PNG file; null if no row fits. Rows that do not fit are counted in the
 * picture.
 */
export function pictureFile(
  timeline: TimelineStore,
  rows: readonly Row[],
  view: TimeSpan,
  text: PictureText,
): Promise<Blob | null> {
  const fitting = rows.filter(({ y, height }) => y + height <= MOST_LANES_PX);
  const last = fitting.at(-1);
  if (!last) return Promise.resolve(null);
  const lanesPx = last.y + last.height + RULER_PX;
  const canvas = document.createElement('canvas');
  canvas.width = (NAMES_PX + LANES_PX) * RATIO;
  canvas.height = (HEAD_PX + lanesPx + FOOT_PX) * RATIO;
  const pen = canvas.getContext('2d', { alpha: false });
  if (!pen) throw new Error('this browser has no 2D canvas');
  const palette = inksOf(document.documentElement, true, currentWords());
  pen.scale(RATIO, RATIO);
  pen.fillStyle = palette.page;
  pen.fillRect(0, 0, NAMES_PX + LANES_PX, HEAD_PX + lanesPx + FOOT_PX);
  pen.save();
  pen.beginPath();
  pen.rect(NAMES_PX, HEAD_PX, LANES_PX, lanesPx);
  pen.clip();
  pen.translate(NAMES_PX, HEAD_PX);
  drawLanes(pen, palette, timeline, fitting, view, lanesPx);
  pen.restore();
  drawNames(pen, palette, fitting, text.nameOf, hasManySources(timeline.live.get()));
  const hidden = rows.length - fitting.length;
  const { share } = palette.words;
  const foot = hidden === 0 ? text.foot : `${text.foot} · ${share.timeline.moreRows(hidden)}`;
  writeText(pen, palette, { text: text.title, x: 12, y: HEAD_PX / 2, weight: 600, px: 15 });
  writeText(pen, palette, { text: foot, x: 12, y: HEAD_PX + lanesPx + FOOT_PX / 2, weight: 400, px: 12 });
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
}

/** Draws what the page shows: the lanes, and the outline, wake-ups and group of the selected mark. */
export function drawLanes(
  pen: Pen,
  palette: Palette,
  timeline: TimelineStore,
  rows: readonly Row[],
  view: TimeSpan,
  height: number,
): void {
  const localNow = Date.now();
  const scene = sceneFrom({
    rows,
    top: 0,
    bottom: height,
    scale: makeScale(view, LANES_PX),
    now: timeline.now(),
    goneSince: timeline.goneSince,
    blindSpots: timeline.blindSpots(),
    unknown: timeline.unknownIn(view),
    outline: timeline.outline(),
    problems: timeline.ticks(),
    isWhole: (id) => timeline.isWhole(id, view),
    droppedOf: (id) => droppedOf(timeline.window, id),
    trackOf: (id) => timeline.tracks.newest(id, localNow),
    words: palette.words,
  });
  // UTC, as in the foot: the file is read elsewhere
  drawScene(pen, palette, scene, { width: LANES_PX, height, scrollTop: 0, offsetMinutes: 0 });
  const { selectedLock, selected } = timeline.get();
  drawTop(pen, palette, {
    ...{ width: LANES_PX, height, scrollTop: 0, cursorX: null },
    hovered: boxOfMark(scene, selectedLock, selected),
    arrows: shownArrows(scene, timeline, null, palette.words),
    together: boxesTogether(scene, timeline),
  });
}

function drawNames(pen: Pen, palette: Palette, rows: readonly Row[], nameOf: NameOf, isOfMany: boolean): void {
  for (const row of rows) {
    const isLock = row.kind === 'lock';
    const place = isLock ? placeText(row.lockId, isOfMany, palette.words) : '';
    const name = cutInMiddle(rowName(row, palette, nameOf), LONGEST_NAME - place.length);
    writeText(pen, palette, {
      text: place === '' ? name : `${name} (${place})`,
      x: isLock ? 12 : 28,
      y: HEAD_PX + RULER_PX + row.y + row.height / 2,
      weight: isLock ? 600 : 400,
      px: 12,
    });
  }
}

function rowName(row: Row, { words }: Palette, nameOf: NameOf): string {
  if (row.kind === 'quiet') return words.timeline.quietLocks(row.count, visibleText(row.prefix));
  if (row.kind === 'empty') return words.timeline.emptyLanes(row.count);
  if (row.kind === 'key') return words.timeline.keyInRedis;
  if (row.kind === 'thread') return nameOf(row.lockId, row.holder);
  return visibleText(nameInId(row.lockId));
}

type Label = { text: string; x: number; y: number; weight: 400 | 600; px: number };

function writeText(pen: Pen, palette: Palette, { text, x, y, weight, px }: Label): void {
  pen.fillStyle = palette.ink;
  pen.font = labelFont(palette, weight, px);
  pen.textAlign = 'left';
  pen.textBaseline = 'middle';
  pen.fillText(text, x, y);
}
