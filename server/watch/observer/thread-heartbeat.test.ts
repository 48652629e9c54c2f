import inspector from 'node:inspector';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { ThreadHeartbeat } from './thread-heartbeat.ts';

let silent: number[];
let hung: number;
let isAnswering: boolean;
let heartbeat: ThreadHeartbeat;

beforeEach(() => {
  vi.useFakeTimers();
  [silent, hung, isAnswering] = [[], 0, true];
  heartbeat = new ThreadHeartbeat({
    beat: () => isAnswering && heartbeat.answered(),
    onSilent: (seconds) => silent.push(seconds),
    onHung: () => hung++,
  });
});

afterEach(() => {
  heartbeat.stop();
  vi.useRealTimers();
});

test('a thread that answers for 10 minutes is reported neither as silent nor as hung', () => {
  vi.advanceTimersByTime(600_000);
  expect({ silent, hung }).toEqual({ silent: [], hung: 0 });
});

test('a thread that stops answering is silent after three beats, until it answers again', () => {
  vi.advanceTimersByTime(5000);
  isAnswering = false;
  vi.advanceTimersByTime(5000);
  expect(silent).toEqual([3, 4]);
  isAnswering = true;
  vi.advanceTimersByTime(5000);
  expect(silent).toEqual([3, 4, 5, 0]);
  expect(hung).toBe(0);
});

test('a thread that is silent for a minute is reported as hung, once', () => {
  vi.advanceTimersByTime(5000);
  isAnswering = false;
  vi.advanceTimersByTime(180_000);
  expect(hung).toBe(1);
});

test('a thread that never starts to answer is not reported as silent, but as hung after a minute', () => {
  isAnswering = false;
  vi.advanceTimersByTime(70_000);
  expect({ silent, hung }).toEqual({ silent: [], hung: 1 });
});

test('a thread that is silent under a debugger may be at a breakpoint, and is not reported as hung', () => {
  inspector.open(0, '127.0.0.1');
  onTestFinished(() => inspector.close());
  vi.advanceTimersByTime(5000);
  isAnswering = false;
  vi.advanceTimersByTime(600_000);
  expect(hung).toBe(0);
  expect(silent).not.toEqual([]);
});
