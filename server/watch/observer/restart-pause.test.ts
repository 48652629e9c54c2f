import { expect, test } from 'vitest';
import { MOST_FAILURES, RestartPause } from './restart-pause.ts';

test('pauses grow up to 30 s, and after too many failures in a row there is no restart', () => {
  const pause = new RestartPause(() => 0.5);
  const all = Array.from({ length: MOST_FAILURES }, () => pause.afterFailure(10));
  expect(all).toEqual([250, 500, 1000, 2000, 4000, 8000, 16_000, 30_000, undefined]);
});

test('a failure after a minute of observing is the first in a row', () => {
  const pause = new RestartPause(() => 0.5);
  for (let n = 0; n < MOST_FAILURES - 1; n++) pause.afterFailure(10);
  expect(pause.afterFailure(60_000)).toBe(250);
  expect(pause.failures).toBe(1);
});

test('a pause is up to a quarter shorter or longer', () => {
  expect(new RestartPause(() => 0).afterFailure(0)).toBe(187.5);
  expect(new RestartPause(() => 1).afterFailure(0)).toBe(312.5);
});
