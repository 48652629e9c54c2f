import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Silence } from './silence.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function watched({ pausesWhenFast = true, isMidway = (): boolean => false } = {}) {
  const calls: string[] = [];
  const silence = new Silence({
    stream: { pause: () => calls.push('pause'), resume: () => calls.push('resume') },
    pausesWhenFast,
    isMidway,
    onQuiet: () => calls.push('quiet'),
  });
  return { calls, silence };
}

/** 30 lines arrive in every ms. They are read at once, or after the pause. */
function readFast({ calls, silence }: ReturnType<typeof watched>, ms: number): void {
  let unread = 0;
  for (let n = 0; n < ms; n++) {
    vi.advanceTimersByTime(1);
    unread += 30;
    if (calls.at(-1) === 'pause') continue;
    silence.read(unread * 100, unread);
    unread = 0;
  }
}

test('silence is reported once, after two ticks of a timer without a read', () => {
  const { calls, silence } = watched();
  silence.read(100, 1);
  vi.advanceTimersByTime(5);
  expect(calls).toEqual([]);
  vi.advanceTimersByTime(50);
  expect(calls).toEqual(['quiet']);
});

test('reading does not pause while lines arrive slowly', () => {
  const { calls, silence } = watched();
  for (let n = 0; n < 100; n++) {
    silence.read(100, 1);
    vi.advanceTimersByTime(2);
  }
  expect(calls).toEqual([]);
});

test('while lines arrive fast, reading pauses after each read; when they end, silence is reported', () => {
  const stream = watched();
  readFast(stream, 200);
  const pauses = stream.calls.filter((call) => call === 'pause').length;
  expect(pauses).toBeGreaterThan(10);
  expect(pauses).toBeLessThan(25);
  expect(stream.calls).not.toContain('quiet');
  vi.advanceTimersByTime(100);
  expect(stream.calls.slice(-2)).toEqual(['resume', 'quiet']);
});

test('in the middle of a line there is no silence', () => {
  const stream = watched({ isMidway: () => true });
  readFast(stream, 200);
  vi.advanceTimersByTime(100);
  expect(stream.calls.at(-1)).toBe('resume');
});

test('reading does not pause in a stream without lines', () => {
  const stream = watched({ pausesWhenFast: false });
  readFast(stream, 200);
  expect(stream.calls).toEqual([]);
});

test('after the end, silence is not reported', () => {
  const stream = watched();
  stream.silence.read(100, 1);
  stream.silence.end();
  vi.advanceTimersByTime(100);
  expect(stream.calls).toEqual([]);
});
