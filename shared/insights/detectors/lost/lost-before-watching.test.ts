import { describe, expect, test } from 'vitest';
import { verdictAt, type Watching } from '../../../../testing/goldens/report-from-events.ts';
import { holderOf, seconds, story } from '../../../../testing/stories/story.ts';

const verdict = (text: string, at: number, watching: Watching = {}) =>
  verdictAt('lost-before-watching', story(`orders:42 lease 30s\n${text}`), seconds(at), watching);

const FREE = '0.000 - snapshot free';
const LATE = `${FREE}\n 5.000 A renewal refused`;

describe('lost-before-watching', () => {
  test('fires for a refused renewal of a thread that was not seen to acquire or lose the lock', () => {
    expect(verdict(LATE, 6)).toMatchObject([
      {
        ...{ severity: 'warning', confidence: 'likely', holders: [holderOf('A')], isAtLeast: true, to: null },
        values: { isRenewal: true, isHeldByOther: false },
      },
    ]);
    expect(verdict(`${LATE}\n 9.000 A unlock refused`, 10)).toMatchObject([{ to: seconds(9.000_001) }]);
  });

  test('reports that another thread holds the lock', () => {
    const other = '0.000 - snapshot B×1 60000\n 5.000 A renewal refused';
    expect(verdict(other, 6)).toMatchObject([{ holders: [holderOf('A')], values: { isHeldByOther: true } }]);
  });

  test('does not fire if the hold or its end was seen, because other checks explain that', () => {
    expect(verdict('0.000 A attempts acquired\n 1.000 A releases\n 5.000 A renewal refused', 6)).toEqual([]);
    expect(
      verdict('0.000 - snapshot A×1 20000\n 4.000 operator command DEL orders:42\n 5.000 A renewal refused', 6),
    ).toEqual([]);
  });

  test('does not fire soon after watching began, or for an unlock of Redisson, which may belong to a RedLock', () => {
    expect(verdict(`${FREE}\n 5.000 A unlock refused`, 6)).toEqual([]);
    const again = `${FREE}\n 1.000 - loses sight\n 2.000 - sees again`;
    expect(verdict(`${again}\n 3.000 A renewal refused`, 6)).toEqual([]);
    expect(verdict(`${again}\n 5.000 A renewal refused`, 6)).toHaveLength(1);
  });

  test('cannot know without commands, and is no longer reported 15 minutes after watching began', () => {
    expect(verdict(LATE, 6, { level: 'events' })).toBe('cannot know: level');
    expect(verdict(LATE, 1000)).toEqual([]);
  });

  test('does not judge a refusal after events were dropped, unless all dropped events are from before watching began', () => {
    const dropped = (since: number, to: number) => ({ dropped: { since: seconds(since), to: seconds(to) } });
    expect(verdict(LATE, 6, dropped(4, 1))).toEqual([]);
    expect(verdict(LATE, 6, dropped(5.5, 1))).toHaveLength(1);
    const again = `${FREE}\n 1.000 - loses sight\n 2.000 - sees again\n 5.000 A renewal refused`;
    expect(verdict(again, 6, dropped(1.5, 1))).toHaveLength(1);
  });
});
