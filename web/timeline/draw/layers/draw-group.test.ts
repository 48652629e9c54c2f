import { expect, test } from 'vitest';
import { NAMED_INKS, RecordingPen } from '../../../testing/recording-pen.ts';
import { drawGroup } from './draw-group.ts';

const box = (y: number) => ({ x: 100, y, width: 50, height: 30 });

test('[G1] members of one operation have a dashed outline and a common bracket on their left', () => {
  const pen = new RecordingPen();
  drawGroup(pen, NAMED_INKS, [box(10), box(110), box(210)]);
  const drawn = pen.in('ink');
  const outlines = drawn.filter(({ call }) => call === 'strokeRect');
  expect(outlines.map(({ args }) => args)).toEqual([10, 110, 210].map((y) => [100, y, 50, 30]));
  expect(outlines.every(({ dash }) => dash.length > 0)).toBe(true);
  const [bracket] = drawn.filter(({ call }) => call === 'stroke');
  expect(bracket?.path[0]?.[1]).toBeLessThan(bracket?.path[1]?.[1] ?? 0);
  expect(bracket?.path.every(([x]) => x < 100)).toBe(true);
});

test('[G1] a single visible member has no bracket', () => {
  const pen = new RecordingPen();
  drawGroup(pen, NAMED_INKS, [box(10)]);
  expect(pen.strokes).toEqual([]);
});
