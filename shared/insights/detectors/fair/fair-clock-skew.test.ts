import { describe, expect, test } from 'vitest';
import { verdictAt, type Watching } from '../../../../testing/goldens/report-from-events.ts';
import { fairStory } from '../../../../testing/stories/fair-story.ts';
import { holderOf, seconds } from '../../../../testing/stories/story.ts';

const QUEUE = `
  0.000  A waits 300
  1.000  B waits 300
  1.001  B subscribes
  1.002  B waits 300
`;

const verdict = (text: string, at: number, watching: Watching = {}) =>
  verdictAt('fair-clock-skew', fairStory(text), seconds(at), watching);

describe('fair-clock-skew', () => {
  test('warns if a client whose clock is ahead evicts a waiter before its deadline', () => {
    expect(verdict(`${QUEUE}\n 2.000 C clock 1200\n 2.001 C waits 300`, 3)).toMatchObject([
      {
        ...{ severity: 'warning', confidence: 'certain', holders: [holderOf('C')], from: seconds(2.001), to: null },
        values: { holder: holderOf('C'), aheadSeconds: 1200, evicted: 1, victim: holderOf('B') },
      },
    ]);
  });

  test('is only a hint if the client whose clock is ahead has evicted no waiter', () => {
    expect(verdict(`${QUEUE}\n 2.000 C clock 20\n 2.001 C waits 300`, 3)).toMatchObject([
      { severity: 'hint', values: { aheadSeconds: 20, evicted: 0, victim: null } },
    ]);
  });

  test('ends when an attempt shows that the clock is right', () => {
    expect(verdict(`${QUEUE}\n 2.000 C clock 20\n 2.001 C waits 300\n 3.000 C clock 0\n 3.001 C waits 300`, 4)).toEqual(
      [],
    );
  });

  test('does not fire for clocks that agree, for a clock that is behind, or for an eviction at the deadline', () => {
    expect(verdict(`${QUEUE}\n 2.000 C waits 300`, 3)).toEqual([]);
    expect(verdict(`${QUEUE}\n 2.000 C clock -1200\n 2.001 C waits 300`, 3)).toEqual([]);
    expect(verdict(`${QUEUE.replaceAll('B waits 300', 'B waits 1')}\n 9.000 C waits 300`, 10)).toEqual([]);
  });

  test('cannot know at level events', () => {
    const skewed = `${QUEUE}\n 2.000 C clock 1200\n 2.001 C waits 300`;
    expect(verdict(skewed, 3, { level: 'events' })).toBe('cannot know: level');
  });
});
