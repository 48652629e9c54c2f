import { expect, test } from 'vitest';
import { seconds } from '../../../../testing/stories/story.ts';
import type { BlindSpot } from '../../../data/window/blind-spots.ts';
import { NAMED_INKS, RecordingPen } from '../../../testing/recording-pen.ts';
import { scaleOf } from '../../../testing/stories.ts';
import { EN } from '../../../words/en.ts';
import { type Scene, sceneFrom } from '../../layout/scene.ts';
import { blindSpotAt, drawRulerSigns, spotText } from './draw-blind.ts';

const SPOT: BlindSpot = { source: 's', from: seconds(4), to: seconds(4.01), reason: 'connection-lost' };
const RESTARTED: BlindSpot = { ...SPOT, failover: { how: 'restarted', to: 'a:1' } };

test('a blind spot shows its reason, and which server answered after it', () => {
  expect(spotText(SPOT, EN)).toBe('not watching: connection lost');
  expect(spotText(RESTARTED, EN)).toBe('not watching: connection lost · Redis restarted');
  expect(spotText({ ...SPOT, failover: { how: 'promoted', to: 'b:2' } }, EN)).toContain('failover to b:2');
});

test('a blind spot whose reason is unknown shows no reason', () => {
  for (const reason of ['unknown', 'watching-again', 'toString', 'a later reason']) {
    expect(spotText({ ...SPOT, reason }, EN)).toBe('not watching');
  }
});

test('only blind spots with a restart or a failover have a sign on the ruler', () => {
  const signs = (spots: BlindSpot[], from = 0) => {
    const pen = new RecordingPen();
    drawRulerSigns(pen, NAMED_INKS, spots, scaleOf(from, from + 10));
    return pen.words();
  };
  expect(signs([SPOT])).toEqual([]);
  expect(signs([RESTARTED, { ...SPOT, failover: { how: 'promoted', to: 'b:2' } }])).toEqual(['↻', '⇄']);
  expect(signs([RESTARTED], 20)).toEqual([]);
});

test('a narrow blind spot is found a few pixels beside it, over the lanes of its own source and on the ruler', () => {
  const about = { now: seconds(9), goneSince: new Map(), blindSpots: [SPOT], trackOf: () => null, words: EN };
  const scene: Scene = sceneFrom({ rows: [], top: 0, bottom: 100, scale: scaleOf(0, 10), ...about });
  expect(blindSpotAt(scene, 397, 's/0/a')).toBe(SPOT);
  expect(blindSpotAt(scene, 397, 'other/0/a')).toBeUndefined();
  expect(blindSpotAt(scene, 397, null)).toBe(SPOT);
  expect(blindSpotAt(scene, 380, null)).toBeUndefined();
});
