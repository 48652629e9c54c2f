import { expect, test } from 'vitest';
import { seconds } from '../../../testing/stories/story.ts';
import { trackOf } from '../../testing/stories.ts';
import { type MarkRow, marksInView } from './mark-rows.ts';

const STUCK = trackOf(`
  payment lease 900s
  0.000  A attempts acquired
  1.000  B attempts refused
`);
/** Three thousand holds with their releases: more rows than fit in the table. */
const BUSY = trackOf(
  [
    'cart lease 6s',
    ...Array.from({ length: 3000 }, (_, n) => [
      `${(2 + n * 0.002).toFixed(3)} C attempts acquired`,
      `${(2.001 + n * 0.002).toFixed(3)} C releases`,
    ]).flat(),
  ].join('\n'),
);
const VIEW = { from: seconds(0.5), to: seconds(10) };
const NOW = seconds(10);

const kindsOf = (rows: readonly MarkRow[]) =>
  rows.filter(({ track }) => track === STUCK).map(({ mark }) => (mark.kind === 'point' ? mark.point : mark.kind));

test('if a view has too many marks, the marks around the cursor are kept, in order of time', () => {
  const { rows, isCut } = marksInView([STUCK, BUSY], VIEW, NOW, seconds(1));
  expect(isCut).toBe(true);
  expect(kindsOf(rows)).toEqual(['hold', 'refused']);
  expect(rows.map(({ at }) => at)).toEqual(rows.map(({ at }) => at).sort((a, b) => a - b));
});

test('if a view has too many marks, a hold that still lasts is kept even if it began long ago', () => {
  const { rows, isCut } = marksInView([STUCK, BUSY], VIEW, NOW, NOW);
  expect(isCut).toBe(true);
  expect(kindsOf(rows)).toContain('hold');
  expect(rows.at(-1)?.track).toBe(BUSY);
});
