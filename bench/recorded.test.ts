import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { BenchReport } from './bench.ts';
import { comparedWith, type Recorded, RecordedSchema, recordedWith, textFromRecorded } from './recorded.ts';

const EMPTY: Recorded = { v: 1, benches: {} };

function reportOf(ratio: number, ratios: readonly number[] = [ratio]): BenchReport {
  return {
    name: 'x',
    unit: 'µs',
    ours: 1,
    peers: {},
    ratioTo: 'peer',
    ratio,
    ratios,
    runs: ratios.length,
    holds: true,
  };
}

function verdictOf(before: BenchReport, now: BenchReport, isMoreBetter = false): string | undefined {
  const recorded = RecordedSchema.parse(recordedWith(EMPTY, [before], '2026-11-25'));
  return comparedWith(recorded, [now], () => isMoreBetter)[0]?.verdict;
}

describe('a ratio that is compared with the recorded one', () => {
  test('is worse if it is more than 15 % higher, and even its best round is worse than all recorded rounds', () => {
    expect(verdictOf(reportOf(1, [0.9, 1, 1.1]), reportOf(1.3, [1.2, 1.3, 1.4]))).toBe('worse');
    expect(verdictOf(reportOf(1, [0.9, 1, 1.25]), reportOf(1.3, [1.2, 1.3, 1.4]))).toBe('same');
    expect(verdictOf(reportOf(1), reportOf(1.14))).toBe('same');
  });

  test('is worse if it is lower, for a bench in which more is better', () => {
    expect(verdictOf(reportOf(1), reportOf(0.8), true)).toBe('worse');
    expect(verdictOf(reportOf(1), reportOf(0.8))).toBe('better');
  });

  test('counts as not recorded if the record has another peer or lacks the bench', () => {
    expect(verdictOf({ ...reportOf(1), ratioTo: 'goal' }, reportOf(5))).toBe('not recorded');
    expect(comparedWith(EMPTY, [reportOf(1)], () => false)).toEqual([{ name: 'x', verdict: 'not recorded', now: 1 }]);
  });
});

test('a record keeps the results of benches that did not run', () => {
  const first = recordedWith(EMPTY, [{ ...reportOf(2), name: 'old' }], '2026-11-24');
  const second = recordedWith(first, [reportOf(1)], '2026-11-25');
  expect(second.benches).toMatchObject({ old: { on: '2026-11-24', ratio: 2 }, x: { on: '2026-11-25', ratio: 1 } });
});

test('recorded.json is written as the same text that was read', () => {
  const text = readFileSync(new URL('./recorded.json', import.meta.url), 'utf8');
  expect(textFromRecorded(RecordedSchema.parse(JSON.parse(text)))).toBe(text);
});
