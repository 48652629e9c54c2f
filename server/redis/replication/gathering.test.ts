import { expect, test } from 'vitest';
import { Gathering } from './gathering.ts';

/** The pauses after reads that follow each other at an even pace for half a second. */
function pausesOf(read: { everyMs: number; lines: number; bytes: number }): number[] {
  const gathering = new Gathering(0);
  const pauses: number[] = [];
  for (let now = read.everyMs; now <= 500; now += read.everyMs)
    pauses.push(gathering.pauseMs(read.bytes, read.lines, now));
  return pauses;
}

test('if there are few lines, there is no pause after a read', () => {
  expect(new Set(pausesOf({ everyMs: 5, lines: 4, bytes: 400 }))).toEqual(new Set([0]));
  expect(new Set(pausesOf({ everyMs: 20, lines: 1, bytes: 20_000 }))).toEqual(new Set([0]));
});

test('the faster lines arrive, the longer reading pauses', () => {
  expect(pausesOf({ everyMs: 1, lines: 3, bytes: 300 }).at(-1)).toBe(3);
  expect(pausesOf({ everyMs: 1, lines: 30, bytes: 3000 }).at(-1)).toBe(10);
});

test('a pause is shorter if more than 48 KB would arrive in it', () => {
  expect(pausesOf({ everyMs: 1, lines: 100, bytes: 10_000 }).at(-1)).toBe(4);
});

test('after a big read the next read follows at once', () => {
  const gathering = new Gathering(0);
  for (let now = 1; now <= 100; now++) gathering.pauseMs(3000, 30, now);
  expect(gathering.pauseMs(40_000, 400, 101)).toBe(0);
  expect(gathering.pauseMs(4000, 40, 102)).toBeGreaterThan(0);
});

test('after a time without lines there is no pause', () => {
  const gathering = new Gathering(0);
  for (let now = 1; now <= 100; now++) gathering.pauseMs(3000, 30, now);
  expect(gathering.pauseMs(4000, 40, 2000)).toBe(0);
});
