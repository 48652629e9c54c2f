import { expect, test } from 'vitest';
import {
  DEFAULT_MEMORY,
  LEAST_MEMORY,
  memoryForSources,
  sharesOf,
  sourcesWithin,
  threadsWithin,
} from './memory-shares.ts';

const MB = 1024 * 1024;

/** The sum of all shares that are counted in bytes. */
function sumOf(limit: number, sources: number): number {
  const shares = sharesOf(limit, sources);
  const { historyBytes, locksBytes, answersBytes, changesBytes } = shares;
  const each = shares.keysBytes + shares.linesBytes + shares.recordingBytes;
  return historyBytes + locksBytes + 1.5 * answersBytes + changesBytes + sources * each;
}

test.each([LEAST_MEMORY, DEFAULT_MEMORY, 4096 * MB])(
  'the shares of %d bytes add up to less than 80 % of them',
  (limit) => {
    for (const sources of [1, 2, 3]) expect(sumOf(limit, sources)).toBeLessThan(limit * 0.8);
  },
);

test('with a smaller limit, unread answers and requests of clients may take less', () => {
  expect(sharesOf(LEAST_MEMORY).answersBytes).toBeLessThan(sharesOf(DEFAULT_MEMORY).answersBytes);
  expect(sharesOf(LEAST_MEMORY).changesBytes).toBeLessThan(sharesOf(DEFAULT_MEMORY).changesBytes);
});

test('if no page requests the past, events, lines and recordings get less than a tenth of their memory, and locks as much as before', () => {
  const [asked, unasked] = [sharesOf(LEAST_MEMORY, 1), sharesOf(LEAST_MEMORY, 1, false)];
  for (const share of ['historyBytes', 'linesBytes', 'recordingBytes', 'steps'] as const)
    expect(unasked[share]).toBeLessThan(asked[share] / 10);
  for (const share of ['locksBytes', 'keysBytes'] as const) expect(unasked[share]).toBe(asked[share]);
});

test('with more sources, each has less memory for keys', () => {
  expect(sharesOf(DEFAULT_MEMORY, 4).keysBytes).toBeLessThan(sharesOf(DEFAULT_MEMORY, 2).keysBytes);
});

test('the limit for memory decides how many sources are watched: 7 with the least limit, 37 with the default', () => {
  expect(sourcesWithin(LEAST_MEMORY)).toBe(7);
  expect(sourcesWithin(DEFAULT_MEMORY)).toBe(37);
  expect(sourcesWithin(2048 * MB)).toBeGreaterThanOrEqual(200);
  expect(sourcesWithin(memoryForSources(200) * MB)).toBe(200);
  expect(sourcesWithin((memoryForSources(200) - 1) * MB)).toBe(199);
});

test('there is a thread for each core, and fewer if they would take too much of the memory', () => {
  expect(threadsWithin(2048 * MB, 4)).toBe(4);
  expect(threadsWithin(DEFAULT_MEMORY, 64)).toBe(2);
  expect(threadsWithin(LEAST_MEMORY, 64)).toBe(1);
});
