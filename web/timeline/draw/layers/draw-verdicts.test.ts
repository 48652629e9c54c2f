import { expect, test } from 'vitest';
import { seconds } from '../../../../testing/stories/story.ts';
import { NAMED_INKS, RecordingPen } from '../../../testing/recording-pen.ts';
import { rowsOfTrack } from '../../../testing/rows-of-track.ts';
import { scaleOf, TWO_THREADS, trackOf } from '../../../testing/stories.ts';
import { EN } from '../../../words/en.ts';
import { LEASE_TOP_PX, LOCK_ROW_PX } from '../../layout/metrics.ts';
import { type Scene, sceneFrom } from '../../layout/scene.ts';
import type { VerdictMark } from '../../model/verdict-marks.ts';
import { Labels } from '../pen/labels.ts';
import { verdictAt, verdictFlags } from './draw-verdicts.ts';

const MARK: VerdictMark = {
  ...{ insight: 'i1', incident: 'renewal-overdue', severity: 'warning', seq: 9 },
  ...{ from: seconds(2), to: seconds(5), isUnknown: false },
};

function sceneOf(...verdicts: readonly VerdictMark[]): Scene {
  const track = { ...trackOf(TWO_THREADS), verdicts };
  const { rows, height } = rowsOfTrack(track);
  return sceneFrom({
    ...{ rows, top: 0, bottom: height, scale: scaleOf(0, 12), now: seconds(12), goneSince: new Map(), blindSpots: [] },
    ...{ trackOf: () => track, words: EN },
  });
}

function drawn(scene: Scene): RecordingPen {
  const pen = new RecordingPen();
  const size = { width: scene.scale.width, top: 0, bottom: 400 };
  verdictFlags({ pen, palette: NAMED_INKS, scene, ...size, ticks: [], labels: new Labels() });
  return pen;
}

const lines = (pen: RecordingPen) =>
  pen.in('lost').flatMap(({ call, args }) => (call === 'fillRect' && Number(args[2]) > 2 ? [args.slice(0, 3)] : []));

test('a problem is a line from its report to the report of its end, with its title', () => {
  const pen = drawn(sceneOf(MARK));
  expect(lines(pen)).toEqual([[200, LOCK_ROW_PX - 3, 300]]);
  expect(pen.words()).toEqual([EN.insights['renewal-overdue'].title]);
});

test('the plate behind a title ends above the line of a whole lease', () => {
  const plates = drawn(sceneOf(MARK))
    .in('page')
    .flatMap(({ call, args }) => (call === 'fillRect' ? [Number(args[1]) + Number(args[3])] : []));
  expect(plates).toHaveLength(1);
  expect(plates[0]).toBeLessThan(LOCK_ROW_PX + LEASE_TOP_PX - 1);
});

test('the title of a problem is left out if it would be under a blind spot of its source', () => {
  const title = EN.insights['renewal-overdue'].title;
  const spot = { from: seconds(0), to: seconds(6), reason: 'connection-lost' };
  const late = { ...MARK, from: seconds(7), to: seconds(11.9) }; // there is no room to its right
  const wordsBeside = (source: string) => drawn({ ...sceneOf(late), blindSpots: [{ ...spot, source }] }).words();
  expect(wordsBeside('other')).toEqual([title]);
  expect(wordsBeside('story')).toEqual([]);
});

test('a problem whose end was not reported has no line', () => {
  expect(lines(drawn(sceneOf({ ...MARK, to: null })))).toEqual([]);
});

test('the flag of a critical problem is filled, and the flag of a warning is not', () => {
  const fills = (severity: VerdictMark['severity'], color: string) =>
    drawn(sceneOf({ ...MARK, to: null, severity }))
      .in(color)
      .filter(({ call }) => call === 'fill').length;
  expect([fills('critical', 'lost'), fills('critical', 'page')]).toEqual([1, 0]);
  expect([fills('warning', 'lost'), fills('warning', 'page')]).toEqual([0, 1]);
});

test('a thousand problems in one second are drawn with fewer than 200 strokes', () => {
  const many = Array.from({ length: 1000 }, (_, n) => ({ ...MARK, seq: n, from: seconds(2 + n / 1000), to: null }));
  expect(drawn(sceneOf(...many)).strokes.length).toBeLessThan(200);
});

test('the pointer finds a problem on the lower edge of the row of its lock', () => {
  const scene = sceneOf(MARK);
  expect(verdictAt(scene, 350, LOCK_ROW_PX - 3)).toEqual(MARK);
  expect(verdictAt(scene, 350, 5)).toBeUndefined();
  expect(verdictAt(scene, 600, LOCK_ROW_PX - 3)).toBeUndefined();
});
