import { describe, expect, test } from 'vitest';
import { merged, verdictAt, type Watching } from '../../testing/report-from-events.ts';
import { holderOf, seconds, story } from '../../testing/story.ts';

/** `A` holds x and `B` holds y; the texts are what happens to x and y after that. */
const verdict = (x: string, y: string, at: number, watching: Watching = {}) =>
  verdictAt(
    'abba-deadlock',
    merged(
      story(`x lease 30s\n 0.000 A attempts acquired\n${x}`),
      story(`y lease 30s\n 0.100 B attempts acquired\n${y}`),
    ),
    seconds(at),
    watching,
  );

/** A thread waits from `at` on. */
const waits = (actor: string, at: number) => `
  ${at}.000 ${actor} attempts refused
  ${at}.001 ${actor} subscribes
  ${at}.002 ${actor} attempts refused
`;
const RENEWALS = (actor: string) => `\n 10.000 ${actor} renews\n 20.000 ${actor} renews`;

describe('abba-deadlock', () => {
  test('fires when two threads wait for each other; leases that are not renewed break it', () => {
    const [A, B] = [holderOf('A'), holderOf('B')];
    expect(verdict(waits('B', 1), waits('A', 2), 15)).toMatchObject([
      {
        ...{ severity: 'critical', confidence: 'likely', from: seconds(2.000_003), to: null, holders: [A, B] },
        selfHealsAt: seconds(30.000_003),
        values: {
          path: [
            { holder: A, lock: 'y', heldBy: B },
            { holder: B, lock: 'x', heldBy: A },
          ],
        },
      },
    ]);
  });

  test('is certain after both locks have been renewed twice, and does not end by itself', () => {
    const renewed = verdict(waits('B', 1) + RENEWALS('A'), waits('A', 2) + RENEWALS('B'), 23);
    expect(renewed).toMatchObject([{ confidence: 'certain', selfHealsAt: null }]);
  });

  test('does not fire if the second thread only tried once, or after one of them has released', () => {
    expect(verdict(waits('B', 1), ' 2.000 A attempts refused', 5)).toEqual([]);
    expect(verdict(`${waits('B', 1)}\n 4.000 A releases\n 4.001 B attempts acquired`, waits('A', 2), 5)).toEqual([]);
  });

  test('cannot know at level events, or if a wait began before a blind spot', () => {
    expect(verdict(waits('B', 1), waits('A', 2), 5, { level: 'events' })).toBe('cannot know: level');
    const blind = '\n 3.000 redis loses sight\n 4.000 redis sees again';
    expect(verdict(waits('B', 1) + blind, waits('A', 2), 5)).toBe('cannot know: blind-spot');
  });
});
