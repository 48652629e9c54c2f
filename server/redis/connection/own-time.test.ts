import { afterEach, expect, test, vi } from 'vitest';
import { soon } from '../../testing/soon.ts';
import { afterOwnTime } from './own-time.ts';
import { stopTimer } from './surroundings.ts';

afterEach(() => void vi.useRealTimers());

test('afterOwnTime calls once, counts a stop of the process as one beat, and can be cancelled', async () => {
  const run = vi.fn();
  afterOwnTime(300, run);
  // keeps this process busy, so that no timer runs
  for (const until = performance.now() + 500; performance.now() < until; );
  expect(run).not.toHaveBeenCalled();
  await new Promise((resolve) => setImmediate(resolve));
  expect(run).not.toHaveBeenCalled(); // one beat so far
  await soon(() => expect(run).toHaveBeenCalledOnce());

  vi.useFakeTimers();
  const other = vi.fn();
  stopTimer(afterOwnTime(300, other));
  afterOwnTime(250, run);
  vi.advanceTimersByTime(299);
  expect(run).toHaveBeenCalledOnce();
  vi.advanceTimersByTime(1000);
  expect(run).toHaveBeenCalledTimes(2);
  expect(other).not.toHaveBeenCalled();
});
