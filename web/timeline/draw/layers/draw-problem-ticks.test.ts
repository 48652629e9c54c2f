import { expect, test } from 'vitest';
import { seconds } from '../../../../testing/stories/story.ts';
import { NAMED_INKS, RecordingPen } from '../../../testing/recording-pen.ts';
import { scaleOf } from '../../../testing/stories.ts';
import { drawProblemTicks, problemAt } from './draw-problem-ticks.ts';

const SCALE = scaleOf(0, 10);
const tick = (second: number, isCritical = true) => ({ from: seconds(second), to: null, isCritical, lockId: null });

test('problems in the view have ticks on the ruler, one per pixel, filled if the problem is critical', () => {
  const pen = new RecordingPen();
  drawProblemTicks(pen, NAMED_INKS, [tick(-1), tick(2), tick(2.001), tick(5, false), tick(11)], SCALE);
  const ticks = pen.strokes.filter(({ call }) => call === 'fill');
  expect(ticks.map(({ color, path }) => [color, path[0]?.[0]])).toEqual([
    ['lost', SCALE.x(seconds(2))],
    ['page', SCALE.x(seconds(5))],
  ]);
});

test('the pointer selects the nearest tick', () => {
  const ticks = [tick(2), tick(2.05)];
  expect(problemAt(ticks, SCALE, SCALE.x(seconds(2.04)))).toBe(ticks[1]);
  expect(problemAt(ticks, SCALE, SCALE.x(seconds(3)))).toBeUndefined();
});
