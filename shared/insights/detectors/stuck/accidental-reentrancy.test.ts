import { describe, expect, test } from 'vitest';
import { verdictAt, type Watching } from '../../../../testing/goldens/report-from-events.ts';
import { holderOf, seconds, story } from '../../../../testing/stories/story.ts';

const verdict = (text: string, at: number, watching: Watching = {}) =>
  verdictAt('accidental-reentrancy', story(`user:3 lease 30s\n${text}`), seconds(at), watching);

const TWO_JOBS = `
  0.000  A attempts acquired
  0.160  A attempts reentered
  0.370  A releases partly
  0.690  A attempts reentered
`;

describe('accidental-reentrancy', () => {
  test('hints at two jobs with one thread id if the count rises again and again without reaching 0', () => {
    expect(verdict(TWO_JOBS, 1)).toMatchObject([
      { severity: 'hint', confidence: 'hint', holders: [holderOf('A')], values: { rises: 2, isMadeUp: false } },
    ]);
    expect(verdict(`${TWO_JOBS} 0.790 A releases partly\n 0.900 A releases`, 1)).toEqual([]);
  });

  test('hints at a number that no thread can have after one late re-entry', () => {
    const madeUp = '0.000 A99999999999 attempts acquired\n 0.900 A99999999999 attempts reentered';
    expect(verdict(madeUp, 1)).toMatchObject([{ values: { isMadeUp: true } }]);
    expect(verdict(madeUp.replaceAll('A99999999999', 'A12'), 1)).toEqual([]);
  });

  test('does not fire for nested calls: the count goes up, then down', () => {
    const nested = '0.000 A attempts acquired\n 0.600 A attempts reentered\n 0.700 A attempts reentered';
    expect(verdict(nested, 1)).toEqual([]);
    const soon = '0.000 A attempts acquired\n 0.010 A attempts reentered\n 0.020 A releases partly';
    expect(verdict(`${soon}\n 0.030 A attempts reentered`, 1)).toEqual([]);
  });

  test('cannot know without commands, where a count that rises and falls may not be seen', () => {
    expect(verdict('0 A attempts acquired', 2, { level: 'events' })).toBe('cannot know: level');
    expect(verdict('0 A attempts acquired', 2)).toEqual([]);
  });

  test('cannot know at level snapshot', () => {
    expect(verdict(TWO_JOBS, 1, { level: 'snapshot' })).toBe('cannot know: level');
  });
});
