import { describe, expect, test } from 'vitest';
import { reportAt, type Watching } from '../../../../testing/goldens/report-from-events.ts';
import { seconds, story } from '../../../../testing/stories/story.ts';
import { DETECTORS, DETECTORS_OF_ONE } from '../all.ts';

const detectors = DETECTORS_OF_ONE.filter(({ incident }) => incident === 'released-before-commit');
const reportOn = (text: string, at: number, watching: Watching = {}) =>
  reportAt(story(`orders:42 lease 30s\n${text}`), seconds(at), { detectors, ...watching });
const found = (text: string, at: number) => reportOn(text, at).insights;

/** B waits for A and gets the lock 3 ms after the release; then A waits for B, and gets it after 2 ms. */
const HANDOVERS = `
  0.000 A attempts acquired
  0.100 B attempts refused
  0.101 B subscribes
  0.102 B attempts refused
  1.000 A releases
  1.003 B attempts acquired
  1.100 A attempts refused
  1.101 A subscribes
  1.102 A attempts refused
  2.000 B releases
  2.002 A attempts acquired
`;

describe('released-before-commit', () => {
  test('counts the hand-overs, reports the length of the shortest, and keeps its id', () => {
    expect(found(HANDOVERS, 0.5)).toEqual([]);
    expect(found(HANDOVERS, 3)).toMatchObject([
      {
        ...{ severity: 'hint', confidence: 'likely', lock: 'orders:42', from: seconds(1.000_002), to: null },
        values: { since: seconds(1.000_002), handovers: 2, tightestMs: 2 },
      },
    ]);
    expect(found(HANDOVERS, 3)[0]?.id).toBe(found(HANDOVERS, 1.5)[0]?.id);
  });

  test('is not in the list of problems', () => {
    expect(DETECTORS.map(({ incident }) => incident)).not.toContain('released-before-commit');
    expect(reportOn(HANDOVERS, 3, { detectors: DETECTORS }).insights).toEqual([]);
  });

  test('does not fire after a lost hold, because two threads may have thought that they hold the lock', () => {
    expect(found(`${HANDOVERS}\n 3.000 C force-unlocks`, 4)).toEqual([]);
    expect(found(`${HANDOVERS}\n 3.000 B unlock refused`, 4)).toEqual([]);
    expect(found(`${HANDOVERS}\n 3.000 A renewal refused`, 4)).toEqual([]);
  });

  test('does not fire without a hand-over: a lock with one user proves nothing', () => {
    expect(found(' 0.000 A attempts acquired\n 1.000 A releases\n 2.000 B attempts acquired', 3)).toEqual([]);
  });

  test('cannot know at level events, or of hand-overs before a blind spot', () => {
    const reasons = (text: string, watching: Watching) =>
      reportOn(text, 6, watching).cannotTell.map(({ reason }) => reason);
    expect(reasons(HANDOVERS, { level: 'events' })).toContain('level');
    expect(reasons(`${HANDOVERS}\n 4.000 redis loses sight\n 5.000 redis sees again`, {})).toContain('blind-spot');
  });
});
