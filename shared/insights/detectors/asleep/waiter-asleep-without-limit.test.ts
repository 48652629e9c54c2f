import { describe, expect, test } from 'vitest';
import { verdictAt, type Watching } from '../../../../testing/goldens/report-from-events.ts';
import { holderOf, seconds, story } from '../../../../testing/stories/story.ts';
import type { Incident } from '../../insight.ts';

const verdict = (
  text: string,
  at: number,
  watching: Watching = {},
  incident: Incident = 'waiter-asleep-without-limit',
) => verdictAt(incident, story(`orders:42 lease 30s\n${text}`), seconds(at), watching);

const WAITING = `
  0.000  A attempts acquired
  1.000  redis lists A B
  1.500  operator command PERSIST orders:42
  2.000  B attempts refused
  2.001  B subscribes
  2.002  B attempts refused
  2.500  redis lists A B
`;
const DELETED = `${WAITING}\n 4.000 operator command DEL orders:42`;

describe('waiter-asleep-without-limit', () => {
  test('fires if the lock is free and its lease had no end when the waiter was refused', () => {
    expect(verdict(DELETED, 5.9)).toEqual([]);
    const found = { severity: 'critical', holders: [holderOf('B')], from: seconds(4), to: null, selfHealsAt: null };
    expect(verdict(DELETED, 6.1)).toMatchObject([{ ...found, confidence: 'likely' }]);
    expect(verdict(DELETED, 11)).toMatchObject([
      { ...found, confidence: 'certain', values: { freeSince: seconds(4), isEvicted: false } },
    ]);
  });

  test('reports a waiter without a timer, which silent-release and missed-wakeup leave out', () => {
    expect(verdict(DELETED, 11, {}, 'silent-release')).toEqual([]);
    expect(verdict(`${WAITING}\n 4.000 A releases`, 11, {}, 'missed-wakeup')).toEqual([]);
    expect(verdict(`${WAITING}\n 4.000 A releases`, 11)).toMatchObject([{ holders: [holderOf('B')] }]);
  });

  test('does not fire while the lock is held, if the waiter has a timer, or if it wakes', () => {
    expect(verdict(WAITING, 11)).toEqual([]);
    expect(verdict(DELETED.replace(/.*PERSIST.*\n/, ''), 11)).toEqual([]);
    expect(verdict(`${WAITING}\n 4.000 A releases\n 4.003 B attempts acquired`, 11)).toEqual([]);
  });

  test('cannot know without the presence of the client, after a blind spot, or at level events', () => {
    expect(verdict(DELETED.replaceAll(/.*redis lists.*\n/g, ''), 7)).toBe('cannot know: presence');
    expect(verdict(`${DELETED}\n 5.000 - loses sight\n 5.500 - sees again`, 7)).toBe('cannot know: blind-spot');
    expect(verdict(DELETED, 7, { level: 'events' })).toBe('cannot know: level');
  });
});
