import { afterEach, expect, test, vi } from 'vitest';
import { seconds } from '../../../testing/stories/story.ts';
import { LookClock } from './look-clock.ts';
import { LookTimer } from './look-timer.ts';

afterEach(() => void vi.useRealTimers());

test('if the clock of Redis turns out to be an hour behind, the detectors use it at once', () => {
  vi.useFakeTimers();
  const looks: number[] = [];
  const store = {
    changedLocks: () => 0,
    *look(at: number): Generator<void, void, void> {
      looks.push(at);
      yield;
    },
  };
  let ahead = 3600;
  const now = () => seconds(10 + Date.now() / 1000 - began + ahead);
  const began = Date.now() / 1000;
  const clock = new LookClock(store);
  const timer = new LookTimer({ clock, store, now, warn: (message) => expect.unreachable(message) });
  timer.start();
  vi.advanceTimersByTime(1000);
  ahead = 0; // a server is reached
  vi.advanceTimersByTime(2000);
  timer.stop();
  expect(looks.filter((at) => at < seconds(20)).length).toBeGreaterThan(4);
});
