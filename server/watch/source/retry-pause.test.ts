import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { RetryPause } from './retry-pause.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** The next pauses, in ms. */
async function pauses(retry: RetryPause, count: number): Promise<number[]> {
  const lengths: number[] = [];
  for (let n = 0; n < count; n++) {
    const before = performance.now();
    const rested = retry.rest();
    await vi.advanceTimersToNextTimerAsync();
    await rested;
    lengths.push(Math.round(performance.now() - before));
  }
  return lengths;
}

test('each pause is twice as long as the one before, up to ten seconds', async () => {
  expect(await pauses(new RetryPause(() => 1), 8)).toEqual([250, 500, 1000, 2000, 4000, 8000, 10_000, 10_000]);
});

test('each pause is shortened by a random part, at most by half', async () => {
  expect(await pauses(new RetryPause(() => 0), 3)).toEqual([125, 250, 500]);
  const values = [0.2, 0, 1];
  expect(await pauses(new RetryPause(() => values.shift() ?? 0), 3)).toEqual([150, 250, 1000]);
});

test('two observers have different pauses', async () => {
  const [first, second] = [new RetryPause(), new RetryPause()];
  expect(await pauses(first, 8)).not.toEqual(await pauses(second, 8));
});

test('a connection that ends within five seconds does not make the next pause short', async () => {
  const retry = new RetryPause(() => 1);
  await pauses(retry, 3);
  retry.observes();
  vi.advanceTimersByTime(4900);
  expect(await pauses(retry, 1)).toEqual([2000]);
  retry.observes();
  vi.advanceTimersByTime(5000);
  expect(await pauses(retry, 2)).toEqual([250, 500]);
});

test('a pause can be ended, and after a reset the pauses begin at 250 ms again', async () => {
  const retry = new RetryPause(() => 1);
  await pauses(retry, 5);
  const rested = retry.rest();
  retry.reset();
  retry.end();
  await rested;
  expect(await pauses(retry, 1)).toEqual([250]);
});

test('a change waits only if another one was less than a second before', async () => {
  const retry = new RetryPause(() => 1);
  const lengths: number[] = [];
  for (let n = 0; n < 4; n++) {
    const before = performance.now();
    const changed = retry.change();
    await vi.advanceTimersToNextTimerAsync();
    await changed;
    lengths.push(Math.round(performance.now() - before));
    vi.advanceTimersByTime(n === 2 ? 2000 : 100);
  }
  expect(lengths).toEqual([0, 900, 900, 0]);
});
