import { expect, test } from 'vitest';
import { readingLeft } from './hairline.ts';

test('the value at the pointer is right of its line, and never begins outside of the chart', () => {
  expect(readingLeft(60, 280, 100)).toBe(66);
  expect(readingLeft(250, 280, 100)).toBe(180);
  expect(readingLeft(250, 280, 300)).toBe(0);
});
