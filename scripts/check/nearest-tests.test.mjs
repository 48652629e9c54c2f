import { expect, test } from 'vitest';
import { nearestTests } from './nearest-tests.mjs';

const SECONDS = { 'long.test.ts': 30, 'longer.test.ts': 90 };

test('the first test files run, until the next one would take too long', () => {
  expect(nearestTests(['a.test.ts', 'long.test.ts', 'longer.test.ts', 'b.test.ts'], SECONDS, 60)).toEqual([
    'a.test.ts',
    'long.test.ts',
  ]);
});

test('if there is time for all test files, all run', () => {
  expect(nearestTests(['a.test.ts', 'long.test.ts'], SECONDS, 60)).toEqual(['a.test.ts', 'long.test.ts']);
  expect(nearestTests([], SECONDS, 60)).toEqual([]);
});

test('a file without a known time counts half a second, so not all of 1,000 such files run', () => {
  const files = Array.from({ length: 1000 }, (_, n) => `${n}.test.ts`);
  const { length } = nearestTests(files, SECONDS, 60);
  expect(length).toBeGreaterThan(100);
  expect(length).toBeLessThan(1000);
});

test('the nearest file runs even if it alone takes longer than the limit', () => {
  expect(nearestTests(['longer.test.ts', 'a.test.ts'], SECONDS, 60)).toEqual(['longer.test.ts']);
});
