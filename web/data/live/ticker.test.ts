import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { followClock, onceIn, seconds } from './ticker.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: 10_000 });
  vi.stubGlobal('window', globalThis);
});

afterEach(() => {
  followClock((now) => now * 1000);
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test('`seconds` ticks when Redis’s clock reaches a full second', () => {
  followClock((now) => (now + 300) * 1000); // 300 ms ahead of this machine
  const ticks: number[] = [];
  const stop = seconds.on(() => ticks.push(Date.now()));
  vi.advanceTimersByTime(2000);
  stop();
  expect(ticks).toEqual([10_700, 11_700]);
  expect(vi.getTimerCount()).toBe(0);
});

test('a call that is due in a second or more waits for the next tick, an earlier one does not', () => {
  const done: string[] = [];
  vi.advanceTimersByTime(400);
  onceIn(1000, () => done.push(`tick ${Date.now()}`));
  onceIn(250, () => done.push(`timer ${Date.now()}`));
  const cancel = onceIn(1000, () => done.push('cancelled'));
  cancel();
  vi.advanceTimersByTime(3000);
  expect(done).toEqual(['timer 10650', 'tick 11000']);
});

test('while Redis’s clock is stopped, `seconds` ticks at the full seconds of this machine', () => {
  followClock(() => 5_999_500);
  const ticks: number[] = [];
  const stop = seconds.on(() => ticks.push(Date.now()));
  vi.advanceTimersByTime(2500);
  stop();
  expect(ticks).toEqual([11_000, 12_000]);
});

test('a listener that subscribes again while it is called is called once in each tick', () => {
  const ticks: number[] = [];
  const again = () => {
    ticks.push(Date.now());
    if (ticks.length < 50) onceIn(1000, again);
  };
  onceIn(1000, again);
  vi.advanceTimersByTime(3000);
  expect(ticks).toEqual([11_000, 12_000, 13_000]);
});
