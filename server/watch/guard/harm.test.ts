import { describe, expect, test } from 'vitest';
import { bufferBound, type Cut, harmOfBuffer, harmOfCut, harmOfDelay, harmOfLatency } from './harm.ts';

const MB = 1024 * 1024;

test('MONITOR output may wait in Redis up to a quarter of its limit, and up to 8 MB', () => {
  expect(bufferBound(32 * MB)).toBe(8 * MB);
  expect(bufferBound(4 * MB)).toBe(MB);
  expect(bufferBound(1024 * MB)).toBe(8 * MB);
  expect(bufferBound(0)).toBe(8 * MB);
  expect(bufferBound(null)).toBe(8 * MB);
  expect(harmOfBuffer(8 * MB, 32 * MB)).toBeUndefined();
  expect(harmOfBuffer(12 * MB, 32 * MB)?.message).toBe('12 MB of MONITOR output waited in Redis.');
});

test('a line that is more than 1.5 s late is harm', () => {
  expect(harmOfDelay(1500)).toBeUndefined();
  expect(harmOfDelay(2100)?.message).toBe('Lockscope was 2.1 s behind Redis.');
});

test('slow answers are harm only if MONITOR is expensive and answers were fast before', () => {
  expect(harmOfLatency(150, 2, true)?.message).toBe('A PING took 150 ms, and 2 ms before MONITOR.');
  expect(harmOfLatency(150, 2, false)).toBeUndefined();
  expect(harmOfLatency(150, 30, true)).toBeUndefined();
  expect(harmOfLatency(90, 2, true)).toBeUndefined();
  expect(harmOfLatency(5000, null, true)).toBeUndefined();
});

describe('a cut', () => {
  const quiet: Cut = {
    msSinceLast: null,
    bufferedBytes: 0,
    behindMs: 0,
    isLimitCounted: null,
    inputBytes: 1000,
    commands: 10,
  };
  const harm = (cut: Partial<Cut>, limit: number | null = 32 * MB) => harmOfCut({ ...quiet, ...cut }, limit)?.message;

  test('of a quiet connection is not harm, also 100 ms after another cut', () => {
    expect(harm({})).toBeUndefined();
    expect(harm({ msSinceLast: 100 })).toBeUndefined();
  });

  test('with a buffer that was probably full is harm the first time', () => {
    const full = 'The MONITOR connection was cut, probably with a full output buffer (limit 32 MB).';
    expect(harm({ bufferedBytes: 5 * MB })).toBe(full);
    expect(harm({ behindMs: 700 })).toBe(full);
    expect(harm({ inputBytes: 20 * MB })).toBe(full);
    expect(harm({ commands: 300_000 })).toBe(full); // a script: many lines, few bytes of input
    expect(harm({ inputBytes: 20 * MB }, null)).toBe(full.replace(' (limit 32 MB)', ''));
  });

  test('is harm only if Redis counted it, for versions that count', () => {
    expect(harm({ isLimitCounted: true })).toBe(
      'Redis closed the MONITOR connection with a full output buffer (limit 32 MB).',
    );
    expect(harm({ isLimitCounted: false, inputBytes: 20 * MB })).toBeUndefined();
  });

  test('is harm if it is the second within a minute', () => {
    expect(harm({ msSinceLast: 59_000, inputBytes: 2 * MB })).toBe(
      'The MONITOR connection was cut twice within a minute.',
    );
    expect(harm({ msSinceLast: 61_000, inputBytes: 2 * MB })).toBeUndefined();
  });
});
