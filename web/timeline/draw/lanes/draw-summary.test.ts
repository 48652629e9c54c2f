import { expect, test } from 'vitest';
import type { RedisTime } from '../../../../shared/base/time.ts';
import { holderOf, seconds } from '../../../../testing/stories/story.ts';
import { NAMED_INKS, RecordingPen } from '../../../testing/recording-pen.ts';
import { CRASH, scaleOf, TWO_THREADS, trackOf } from '../../../testing/stories.ts';
import { Labels } from '../pen/labels.ts';
import { drawSummary } from './draw-summary.ts';

const LETTERS = new Map([
  [holderOf('A'), 'A'],
  [holderOf('B'), 'B'],
]);

function drawn(text: string, isOpen: boolean, goneSince = new Map<string, RedisTime>()): RecordingPen {
  const pen = new RecordingPen();
  drawSummary(pen, NAMED_INKS, trackOf(text), 0, {
    ...{ scale: scaleOf(0, 10), now: seconds(10), goneSince, isOpen, labels: new Labels() },
    letterOf: (_, holder) => LETTERS.get(holder) ?? null,
  });
  return pen;
}

const bars = (pen: RecordingPen, color: string) =>
  pen
    .in(color)
    .filter(({ call }) => call === 'fillRect')
    .map(({ args }) => [Math.round(Number(args[0])), Math.round(Number(args[2]))]);

test('the row of a lock has the holds of all its threads in one line, with their letters', () => {
  const pen = drawn(TWO_THREADS, true);
  expect(bars(pen, 'hold')).toEqual([
    [0, 700],
    [701, 199],
  ]);
  expect(pen.words()).toEqual(['A', 'B']);
  expect(bars(pen, 'wait')).toEqual([]);
});

test('the row of a folded lock also has its waits', () => {
  expect(bars(drawn(TWO_THREADS, false), 'wait')).toHaveLength(1);
});

test('the part of a hold whose client is gone is not solid', () => {
  const client = holderOf('A').split(':')[0] ?? '';
  const pen = drawn(CRASH, true, new Map([[client, seconds(4)]]));
  expect(bars(pen, 'hold')[0]).toEqual([0, 400]);
  expect(pen.in('lost').some(({ call, dash }) => call === 'strokeRect' && dash.length === 2)).toBe(true);
});

test('a thousand short holds take at most one stroke for every second pixel', () => {
  const lines = Array.from({ length: 1000 }, (_, i) => [
    `${(i * 0.01).toFixed(3)} A attempts acquired`,
    `${(i * 0.01 + 0.004).toFixed(3)} A releases`,
  ]);
  const pen = drawn(['orders:42 lease 6s', ...lines.flat()].join('\n'), true);
  expect(pen.strokes.length).toBeLessThanOrEqual(500);
});
