import { describe, expect, test } from 'vitest';
import { FlushPace } from './flush-pace.ts';

describe('the time from one flush to the next', () => {
  test('is 16 ms while messages are cheap', () => {
    const pace = new FlushPace();
    expect(pace.intervalMs(0)).toBe(16);
    pace.made(1);
    pace.wrote(1, 0.02);
    expect(pace.intervalMs(1)).toBe(16);
  });

  test('grows with the cost of writing to one page and with the number of pages, up to 250 ms', () => {
    const pace = new FlushPace();
    pace.wrote(10, 1);
    expect(pace.intervalMs(10)).toBe(16);
    expect(pace.intervalMs(40)).toBe(32);
    expect(pace.intervalMs(100)).toBe(80);
    pace.wrote(10, 0.5);
    expect(pace.intervalMs(100)).toBe(40);
    expect(pace.intervalMs(100_000)).toBe(250);
  });

  test('grows with the cost of making all messages', () => {
    const pace = new FlushPace();
    pace.made(15);
    expect(pace.intervalMs(1)).toBe(60);
  });

  test('does not grow after seven expensive flushes, which may have been interrupted, but after the eighth', () => {
    const pace = new FlushPace();
    pace.made(1);
    for (let n = 0; n < 7; n++) pace.made(20);
    expect(pace.intervalMs(1)).toBe(16);
    pace.made(20);
    expect(pace.intervalMs(1)).toBe(80);
  });
});
