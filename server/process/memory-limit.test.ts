import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { redisTime } from '../../shared/base/time.ts';
import { createObservatory } from '../watch/create-observatory.ts';
import { watchMemory } from './memory-limit.ts';

const GB = 1024 ** 3;
const logged: string[] = [];
const log = pino({}, { write: (line: string) => void logged.push(line) });

function observe(memory: number) {
  return createObservatory({
    redisUrls: ['redis://127.0.0.1:1'],
    level: 'events',
    match: [],
    configureNotifications: false,
    madeBy: 'test',
    memory,
  });
}

beforeEach(() => {
  vi.useFakeTimers({ now: 1_760_000_000_000 });
  logged.length = 0;
});
afterEach(() => vi.useRealTimers());

test('above its limit, the process shrinks its memory shares at the third check, and logs when and why', () => {
  const observatory = observe(1);
  const stop = watchMemory(observatory, 1, log);
  vi.advanceTimersByTime(4000);
  expect(observatory.memory?.().shedAt).toBeNull();
  expect(logged).toEqual([]);
  vi.advanceTimersByTime(2000);
  expect(observatory.memory?.().shedAt).toBe(redisTime(1_760_000_006_000_000));
  expect(logged).toHaveLength(1);
  expect(logged.join('')).toContain('--memory SIZE allows more');
  stop();
});

test('each step takes a quarter of the memory shares, until at most a tenth is left', () => {
  const limits: number[] = [];
  const stop = watchMemory({ setMemory: (bytes) => limits.push(bytes) }, 1, log);
  vi.advanceTimersByTime(600_000);
  expect(limits).toEqual(Array.from({ length: 9 }, (_, n) => 0.75 ** (n + 1)));
  expect(limits.at(-1)).toBeLessThan(0.1);
  expect(logged).toHaveLength(9);
  stop();
});

test('a recording that is opened after the last step is closed', () => {
  let opened = 0;
  const relieve = () => opened > 0 && opened-- > 0;
  const limits: number[] = [];
  const stop = watchMemory({ setMemory: (bytes) => limits.push(bytes) }, 1, log, relieve);
  vi.advanceTimersByTime(600_000);
  expect(limits).toHaveLength(9);
  opened = 1;
  vi.advanceTimersByTime(6000);
  expect(opened).toBe(0);
  expect(logged.at(-1)).toContain('An opened recording was closed.');
  vi.advanceTimersByTime(60_000);
  expect([limits.length, logged.length]).toEqual([9, 10]);
  stop();
});

test('a process within its limit keeps its memory shares', () => {
  const observatory = observe(64 * GB);
  const stop = watchMemory(observatory, 64 * GB, log);
  vi.advanceTimersByTime(60_000);
  expect(observatory.memory?.().shedAt).toBeNull();
  expect(logged).toEqual([]);
  stop();
});
