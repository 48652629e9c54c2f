import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { MACHINE, surroundWith } from '../../redis/connection/surroundings.ts';
import { owned } from '../thread/owned-work.ts';
import { whileWaiting } from './while-waiting.ts';

beforeEach(() => {
  vi.useFakeTimers();
  surroundWith(owned(MACHINE));
});

afterEach(() => {
  surroundWith();
  vi.useRealTimers();
});

test.each([1199, 1201, 1599])('in a worker, a job that begins at %d ms is first reported after 0.8 s', async (ms) => {
  vi.advanceTimersByTime(ms - performance.now());
  const waits: number[] = [];
  let done = () => {};
  const job = whileWaiting(new Promise<void>((resolve) => (done = resolve)), (waited) => waits.push(waited));
  vi.advanceTimersByTime(799);
  expect(waits).toEqual([]);
  vi.advanceTimersByTime(1001);
  expect(waits).toEqual([800, 1600]);
  done();
  await job;
  vi.advanceTimersByTime(5000);
  expect(waits).toHaveLength(2);
});
