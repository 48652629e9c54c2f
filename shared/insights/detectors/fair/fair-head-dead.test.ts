import { describe, expect, test } from 'vitest';
import { merged, verdictAt } from '../../../../testing/goldens/report-from-events.ts';
import { fairStory } from '../../../../testing/stories/fair-story.ts';
import { listed } from '../../../../testing/stories/listed.ts';
import { holderOf, seconds, story } from '../../../../testing/stories/story.ts';
import type { LockEvent } from '../../../events/event.ts';

const QUEUE = `
  0.000  A waits 300
  1.000  B waits 300
  1.001  B subscribes
  2.000  C waits 300
  2.001  C subscribes
`;

const verdict = (text: string, at: number, ...lists: LockEvent[][]) =>
  verdictAt('fair-head-dead', merged(fairStory(QUEUE + text), ...lists), seconds(at));
const ALL = listed('connected', 2.5, 'A', 'B', 'C');

describe('fair-head-dead', () => {
  test('fires if the client of the head is gone: critical once the lock is free and others wait', () => {
    const held = verdict('', 5, ALL, listed('gone', 4, 'B'));
    expect(held).toMatchObject([
      { severity: 'warning', confidence: 'certain', holders: [holderOf('B')], from: seconds(4), to: null },
    ]);
    const free = verdict('\n 4.500 A unlocks', 5, ALL, listed('gone', 4, 'B'));
    expect(free).toMatchObject([{ severity: 'critical', values: { dead: 1, waiting: 1, isFree: true } }]);
    const [{ selfHealsAt, values }] = free as unknown as [{ selfHealsAt: number; values: { deadline: number } }];
    expect(selfHealsAt).toBe(values.deadline);
    expect(selfHealsAt).toBeGreaterThan(seconds(100));
  });

  test('dead waiters right behind the head are counted, later ones are not', () => {
    expect(verdict('', 5, ALL, listed('gone', 4, 'B', 'C'))).toMatchObject([{ values: { dead: 2, waiting: 0 } }]);
  });

  test('is critical if the only clients that attempt the free lock do not queue', () => {
    const refused = '\n 4.500 A unlocks\n 4.600 D tries';
    const dead = listed('gone', 4, 'B', 'C');
    expect(verdict(refused, 5, ALL, dead)).toMatchObject([{ severity: 'critical', values: { dead: 2, waiting: 0 } }]);
    expect(verdict('\n 4.500 A unlocks', 5, ALL, dead)).toMatchObject([{ severity: 'warning' }]);
  });

  test('does not fire if only a waiter behind the head is gone', () => {
    expect(verdict('', 5, ALL, listed('gone', 4, 'C'))).toEqual([]);
  });

  test('a silent head may only be late if its client reacts late elsewhere', () => {
    const asked = '\n 1.002 B waits 300\n 4.500 A unlocks\n 12 D tries';
    const late = (at: number) =>
      story(
        `other lease 30s\n ${at} A attempts acquired\n ${at}.1 B2 attempts refused\n ${at + 2}.1 B2 subscribes\n ${at + 2}.2 B2 attempts refused`,
      );
    const silent = (...more: LockEvent[][]) => verdict(asked, 13, ALL, ...more);
    expect(silent()).toMatchObject([{ confidence: 'likely', values: { goneSince: null, lateAt: null } }]);
    expect(silent(late(3))).toMatchObject([{ confidence: 'hint', values: { lateAt: seconds(5.1) } }]);
    const gone = listed('gone', 12.5, 'B');
    expect(silent(late(3), gone)).toMatchObject([{ confidence: 'certain', values: { lateAt: null } }]);
  });

  test('cannot know if it is not known whether the head is connected', () => {
    expect(verdict('', 5)).toBe('cannot know: presence');
  });
});
