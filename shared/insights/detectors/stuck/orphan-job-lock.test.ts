import { describe, expect, test } from 'vitest';
import { verdictAt } from '../../../../testing/goldens/report-from-events.ts';
import { holderOf, seconds, story } from '../../../../testing/stories/story.ts';

const verdict = (text: string, at: number, lease = '86400s') =>
  verdictAt('orphan-job-lock', story(`nightly lease ${lease}\n${text}`), seconds(at));

const KILLED = '0.000 A attempts acquired\n 1.000 redis lists A B\n 6.000 redis lists B';

describe('orphan-job-lock', () => {
  test('fires if the client of a holder is gone and its lease is a day long', () => {
    expect(verdict(KILLED, 7)).toMatchObject([
      {
        ...{ severity: 'warning', confidence: 'likely', holders: [holderOf('A')], from: seconds(1), to: null },
        selfHealsAt: seconds(86_400.000_003),
      },
    ]);
  });

  test('does not fire if the client of the holder is connected, or for a short lease', () => {
    expect(verdict(KILLED.replace('lists B', 'lists A'), 7)).toEqual([]);
    expect(verdict(KILLED, 7, '30s')).toEqual([]);
  });

  test('cannot know if no list has shown the client', () => {
    expect(verdict('0.000 A attempts acquired', 1)).toBe('cannot know: presence');
  });
});
