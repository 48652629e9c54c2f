import { expect, test } from 'vitest';
import { seconds } from '../../../testing/stories/story.ts';
import { scaleOf } from '../../testing/stories.ts';
import { makeScale } from './scale.ts';
import { ticksOf } from './ticks.ts';

test('the ruler of a view of 10 s has more than five labels', () => {
  expect(ticksOf(scaleOf(0, 10), 0).filter(({ label }) => label !== '').length).toBeGreaterThan(5);
});

test('no label overlaps the length that is written on a collapsed range', () => {
  const idle = [{ from: seconds(40), to: seconds(280) }];
  const scale = makeScale({ from: seconds(0), to: seconds(300) }, 900, idle);
  const [piece] = scale.idle;
  const middle = ((piece?.x0 ?? 0) + (piece?.x1 ?? 0)) / 2;
  const labelled = ticksOf(scale, 0).filter(({ label }) => label !== '');
  expect(labelled.length).toBeGreaterThan(2);
  for (const { x } of labelled) expect(x + 66 <= middle - 40 || x >= middle + 40).toBe(true);
});
