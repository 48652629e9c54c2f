import { describe, expect, test } from 'vitest';
import { verdictAt, type Watching } from '../../../../testing/goldens/report-from-events.ts';
import { groupEvents } from '../../../../testing/stories/group-story.ts';
import { holderOf, seconds } from '../../../../testing/stories/story.ts';
import { withGroups } from '../../../../testing/traces/grouped-trace.ts';

/** `A` takes a, then wants b; `B` takes b, then wants a. After 3 s both release what they have. */
const round = (second: number) => `
  ${second}.000 a A:1 acquired
  ${second}.001 b B:1 acquired
  ${second}.002 b A:1 refused
  ${second}.003 a B:1 refused
  ${second}.004 b A:1 sleeps
  ${second}.005 a B:1 sleeps
  ${second + 2}.996 b A:1 gives-up
  ${second + 2}.997 a B:1 gives-up
  ${second + 2}.998 a A:1 released
  ${second + 2}.999 b B:1 released
`;
/** The plain lock b is held for long, and the multi lock of A begins again and again. */
const BEHIND_A_LONG_HOLD = `
  0.000 b C:1 acquired
  1.000 a A:1 acquired
  1.001 b A:1 refused
  1.004 b A:1 sleeps
  3.998 b A:1 gives-up
  3.999 a A:1 released
  4.001 a A:1 acquired
  4.002 b A:1 refused
  4.004 b A:1 sleeps
`;

const verdict = (text: string, at: number, watching: Watching = {}) =>
  verdictAt('multilock-livelock', withGroups(groupEvents(text)), seconds(at), watching);
const deadlock = (text: string, at: number) =>
  verdictAt('abba-deadlock', withGroups(groupEvents(text)), seconds(at), {});

describe('multilock-livelock', () => {
  test('fires in the second round of multi locks that wait for each other', () => {
    const [A, B] = [holderOf('A'), holderOf('B')];
    expect(verdict(round(1), 3.5)).toEqual([]);
    expect(verdict(round(1) + round(4), 5)).toMatchObject([
      {
        ...{ severity: 'warning', confidence: 'likely', lock: 'a', holders: [A, B] },
        ...{ from: seconds(1), to: null, selfHealsAt: null },
        values: {
          ...{ holder: A, since: seconds(1), restarts: 1 },
          path: [
            { holder: A, lock: 'b', heldBy: B },
            { holder: B, lock: 'a', heldBy: A },
          ],
        },
      },
    ]);
  });

  test('has the same id in the second and in the third round, and counts the restarts', () => {
    const text = round(1) + round(4) + round(7);
    const [second] = verdict(text, 5) as readonly { id: string }[];
    expect(verdict(text, 8)).toMatchObject([{ id: second?.id, values: { restarts: 2 } }]);
  });

  test('is not also reported as a deadlock, even if the second round has lasted for 16 s', () => {
    const text = round(1) + round(4).split('\n').slice(0, 7).join('\n');
    expect(verdict(text, 20)).toMatchObject([{ confidence: 'likely' }]);
    expect(deadlock(text, 20)).toEqual([]);
  });

  test('does not fire if a multi lock begins again because one lock is held for a long time', () => {
    expect(verdict(BEHIND_A_LONG_HOLD, 5)).toEqual([]);
  });

  test('does not fire after one of the multi locks has acquired all its locks', () => {
    expect(verdict(`${round(1)}\n4.000 a A:1 acquired\n4.001 b A:1 acquired\n4.005 a B:1 sleeps`, 5)).toEqual([]);
  });

  test('cannot know at level events, or while the source is not watched', () => {
    const text = round(1) + round(4).split('\n').slice(0, 7).join('\n');
    expect(verdict(text, 5, { level: 'events' })).toBe('cannot know: level');
    expect(verdict(`${text}\n5.000 redis A:1 unseen`, 6)).toBe('cannot know: unwatched');
  });
});
