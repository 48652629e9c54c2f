import { expect, test } from 'vitest';
import { readingLeft } from './hairline.ts';

test('the reading at the pointer is right of the hairline, or further left to stay inside the chart', () => {
  expect(readingLeft(60, 280, 100)).toBe(66);
  expect(readingLeft(250, 280, 100)).toBe(180);
  expect(readingLeft(250, 280, 300)).toBe(0);
});
