import { describe, expect, test } from 'vitest';
import { verdictAt, type Watching } from '../../../testing/report-from-events.ts';
import { holderOf, seconds, story } from '../../../testing/story.ts';

const verdict = (text: string, at: number, watching: Watching = {}) =>
  verdictAt('zombie-renewal', story(`stock lease 3s\n${text}`), seconds(at), watching);

const lines = (count: number, line: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => line(n)).join('\n');
const SHORT = lines(6, (n) => `${n}.000 B attempts acquired\n ${n}.200 B releases`);
const LONG = `10.000 A attempts acquired\n${lines(10, (n) => `${11 + n}.000 A renews`)}`;
const WAITING = '20.500 B attempts refused\n 20.501 B subscribes\n 20.502 B attempts refused';

describe('zombie-renewal', () => {
  test('fires if a hold is renewed again and again, and those before it never were', () => {
    expect(verdict(`${SHORT}\n${LONG}`, 21)).toMatchObject([
      {
        ...{ severity: 'hint', confidence: 'hint', holders: [holderOf('A')], from: seconds(10.000_002), to: null },
        values: { renewals: 10, before: 6, renewalsBefore: 0 },
      },
    ]);
    expect(verdict(`${SHORT}\n${LONG}\n${WAITING}`, 21)).toMatchObject([
      { confidence: 'likely', values: { waiting: 1 } },
    ]);
  });

  test('does not fire for a lock that is always held for long, or of which nothing is known', () => {
    expect(verdict(LONG, 21)).toEqual([]);
    const usual = lines(6, (n) => `${n}.000 B attempts acquired\n ${n}.100 B renews\n ${n}.200 B releases`);
    expect(verdict(`${usual}\n${LONG}`, 21)).toEqual([]);
  });

  test('does not fire before three leases are over, however often it was renewed', () => {
    const often = `10.000 A attempts acquired\n${lines(60, (n) => `${(10.1 + n / 10).toFixed(1)} A renews`)}`;
    expect(verdict(`${SHORT}\n${often}`, 18)).toEqual([]);
    expect(verdict(`${SHORT}\n${often}`, 20)).toHaveLength(1);
  });

  test('does not fire once the lock is released', () => {
    expect(verdict(`${SHORT}\n${LONG}\n 20.500 A releases`, 21)).toEqual([]);
  });

  test('cannot know after a blind spot during the hold, or at level snapshot', () => {
    const blind = `${SHORT}\n${LONG}\n 20.100 redis loses sight\n 20.200 redis sees again`;
    expect(verdict(blind, 21)).toBe('cannot know: blind-spot');
    expect(verdict(`${SHORT}\n${LONG}`, 21, { level: 'snapshot' })).toBe('cannot know: level');
  });
});
