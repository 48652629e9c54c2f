import { describe, expect, test } from 'vitest';
import { verdictAt, type Watching } from '../../../../testing/goldens/report-from-events.ts';
import { seconds, story } from '../../../../testing/stories/story.ts';

/**
 * A acquires the lock again right after each release. Each release wakes `waiting` other clients, which are refused.
 */
function verdict(at: number, waiting: number, watching: Watching = {}) {
  const others = Array.from({ length: waiting }, (_, n) => String.fromCharCode(66 + n));
  const lines = [' 0.000 A attempts acquired'];
  for (const [n, who] of others.entries()) {
    const time = (0.1 + n / 1000).toFixed(4);
    lines.push(` ${time} ${who} attempts refused`, ` ${time} ${who} subscribes`, ` ${time} ${who} attempts refused`);
  }
  for (let round = 1; round <= 6; round++) {
    lines.push(` ${round}.000 A releases`, ` ${round}.001 A attempts acquired`);
    for (const [n, who] of others.entries())
      lines.push(` ${(round + 0.01 + n / 1000).toFixed(4)} ${who} attempts refused`);
  }
  return verdictAt('thundering-herd', story(`cart lease 30s\n${lines.join('\n')}`), seconds(at), watching);
}

describe('thundering-herd', () => {
  test('[W15] fires when each release wakes many threads that are refused', () => {
    expect(verdict(3, 12)).toEqual([]);
    expect(verdict(6.5, 12)).toMatchObject([
      {
        severity: 'warning',
        confidence: 'certain',
        to: null,
        values: { releases: 6, refused: 72, isReadWrite: false },
      },
    ]);
  });

  test('has ended 9 s after the last refused attempt, and is no longer reported a minute after that attempt', () => {
    expect(verdict(15, 12)).toMatchObject([{ to: expect.any(Number) }]);
    expect(verdict(70, 12)).toEqual([]);
  });

  test('does not fire with a few clients: one thread of each is woken', () => {
    expect(verdict(6.5, 4)).toEqual([]);
  });

  test('cannot know at level events', () => {
    expect(verdict(6.5, 12, { level: 'events' })).toBe('cannot know: level');
  });
});
