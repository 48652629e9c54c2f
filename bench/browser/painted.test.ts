import { expect, test } from 'vitest';
import { delaysFrom } from './painted.ts';

const SECOND = Date.parse('2026-01-02T03:04:05Z') * 1000;

test('the delay of an event ends with the first frame that shows it or a later event', () => {
  const painted = [
    { wallMs: SECOND / 1000 + 20, instant: '2026-01-02T03:04:05.000500Z' },
    { wallMs: SECOND / 1000 + 40, instant: '2026-01-02T03:04:05.030000Z' },
  ];
  const at = (micros: number) => ({ at: SECOND + micros });
  // The first frame is left out: it may show events from before the measurement. No frame shows the last event.
  expect(delaysFrom([at(30_000), at(100), at(10_000), at(31_000)], painted)).toEqual([30, 10]);
});
