import { describe, expect, test } from 'vitest';
import { verdictAt, type Watching } from '../../testing/report-from-events.ts';
import { holderOf, seconds, story } from '../../testing/story.ts';

const verdict = (text: string, at: number, watching: Watching = {}) =>
  verdictAt('unlock-by-non-owner', story(`orders:42 lease 6s\n${text}`), seconds(at), watching);

const WRONG = `
  0.000  A attempts acquired
  1.000  B unlock refused
  2.000  B unlock refused
`;

describe('unlock-by-non-owner', () => {
  test('fires if another thread held the lock, and for ten minutes after', () => {
    const found = [
      {
        ...{
          severity: 'warning',
          confidence: 'likely',
          holders: [holderOf('B')],
          from: seconds(2.000_001),
          to: seconds(2.000_001),
        },
        ...{ events: [2, 3], values: { times: 2 } },
      },
    ];
    expect(verdict(WRONG, 3)).toMatchObject(found);
    expect(verdict(WRONG, 600)).toMatchObject(found);
    expect(verdict(WRONG, 700)).toEqual([]);
  });

  test('does not fire if the lease of the caller had run out, or if no thread held the lock', () => {
    expect(verdict('0.000 A attempts acquired\n 7.000 B attempts acquired\n 8.000 A unlock refused', 9)).toEqual([]);
    expect(verdict('0.000 A attempts acquired\n 1.000 A releases\n 2.000 B unlock refused', 3)).toEqual([]);
  });

  test('does not fire if an operator had deleted the lock of the caller', () => {
    const deleted = '0.000 A attempts acquired\n 1.000 operator command DEL orders:42\n 1.500 B attempts acquired';
    expect(verdict(`${deleted}\n 2.000 A unlock refused`, 3)).toEqual([]);
  });

  test('cannot know at level events', () => {
    expect(verdict(WRONG, 3, { level: 'events' })).toBe('cannot know: level');
  });
});
