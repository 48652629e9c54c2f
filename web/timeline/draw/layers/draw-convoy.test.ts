import { expect, test } from 'vitest';
import { seconds } from '../../../../testing/stories/story.ts';
import { NAMED_INKS, RecordingPen } from '../../../testing/recording-pen.ts';
import { rowsOfTrack } from '../../../testing/rows-of-track.ts';
import { trackOf } from '../../../testing/stories.ts';
import { EN } from '../../../words/en.ts';
import { makeScale } from '../../layout/scale.ts';
import { type Scene, sceneFrom } from '../../layout/scene.ts';
import type { Track, WakeArrow } from '../../model/marks.ts';
import { drawScene } from '../draw-scene.ts';
import { Labels } from '../pen/labels.ts';
import { arrowsAt, wakeUps } from './draw-arrow.ts';
import type { Sheet } from './layer.ts';

/** A and B alternate `turns` times; each waits 0.9 s for the release by its predecessor. */
function convoyOf(turns: number): Track {
  const lines = Array.from({ length: turns }, (_, turn) => {
    const [holder, waiter] = turn % 2 === 0 ? ['A', 'B'] : ['B', 'A'];
    const at = (s: number) => (turn + s).toFixed(3);
    return [
      `${at(0)} ${holder} attempts acquired`,
      `${at(0.1)} ${waiter} attempts refused`,
      `${at(0.11)} ${waiter} subscribes`,
      `${at(0.12)} ${waiter} attempts refused`,
      `${at(0.99)} ${holder} releases`,
    ].join('\n');
  });
  return trackOf(['orders:42 lease 30s', ...lines].join('\n'));
}

function sceneOf(track: Track, to: number): Scene {
  const { rows, height } = rowsOfTrack(track);
  const scale = makeScale({ from: seconds(0), to: seconds(to) }, 1000);
  const about = { now: seconds(to), goneSince: new Map(), blindSpots: [], words: EN, trackOf: () => track };
  return sceneFrom({ rows, top: 0, bottom: height, scale, ...about });
}

function draw(scene: Scene): RecordingPen {
  const pen = new RecordingPen();
  drawScene(pen, NAMED_INKS, scene, { width: scene.scale.width, height: 400, scrollTop: 0, offsetMinutes: 0 });
  return pen;
}

/** A picture of all wake-ups. */
function drawWakeUps(scene: Scene): RecordingPen {
  const pen = new RecordingPen();
  const sheet: Sheet = {
    ...{ pen, palette: NAMED_INKS, scene, width: scene.scale.width, top: 0, bottom: 400, ticks: [] },
    labels: new Labels(),
  };
  wakeUps(sheet);
  return pen;
}

const arrowHeads = (pen: RecordingPen) =>
  pen.in('ink').filter(({ call, path }) => call === 'fill' && path.length === 3 && (path[0]?.[1] ?? 0) > 60);

test('the lanes themselves draw no wake-ups', () => {
  const pen = draw(sceneOf(convoyOf(3), 10));
  expect(pen.words()).toContain('holds ×1');
  expect(pen.words().filter((word) => word.startsWith('PUBLISH'))).toEqual([]);
});

test('a few wake-ups are drawn completely, with texts', () => {
  const pen = drawWakeUps(sceneOf(convoyOf(3), 10));
  expect(pen.words().filter((word) => word.startsWith('PUBLISH'))).not.toEqual([]);
  expect(arrowHeads(pen).length).toBeGreaterThan(0);
  expect(arrowHeads(pen).every(({ alpha }) => alpha === 1)).toBe(true);
});

test('the wake-ups of a convoy are faint and without texts', () => {
  const scene = sceneOf(convoyOf(40), 40);
  const pen = drawWakeUps(scene);
  expect(scene.arrows.length).toBeGreaterThan(20);
  expect(scene.arrows.every(({ isFaint }) => isFaint)).toBe(true);
  expect(arrowHeads(pen).length).toBe(scene.arrows.length);
  expect(arrowHeads(pen).every(({ alpha }) => alpha < 0.3)).toBe(true);
  expect(pen.words().filter((word) => word.startsWith('PUBLISH'))).toEqual([]);
});

test('the wake-up of a hold, a wait or a release is found', () => {
  const track = convoyOf(40);
  const arrow = track.arrows[1] as WakeArrow; // there are 39 arrows
  const marks = track.lanes.flatMap(({ spans, points }) => [...spans, ...points]);
  const hold = marks.find((mark) => mark.kind === 'hold' && mark.seq === arrow.seq);
  const wait = marks.find((mark) => mark.kind === 'wait' && mark.endSeq === arrow.seq);
  const release = marks.find((mark) => mark.kind === 'point' && arrow.causes.includes(mark.seq));
  for (const mark of [hold, wait, release]) expect(mark && arrowsAt(track.arrows, mark)).toContain(arrow);
});

test('a lane shows once that its thread is asleep', () => {
  const asleep = draw(sceneOf(convoyOf(8), 8))
    .words()
    .filter((word) => word.startsWith('asleep'));
  expect(asleep).toHaveLength(2);
});
