import { describe, expect, test } from 'vitest';
import { merged, verdictAt, type Watching } from '../../../../testing/goldens/report-from-events.ts';
import { dumpStory } from '../../../../testing/stories/dump-story.ts';
import { holderOf, seconds, story } from '../../../../testing/stories/story.ts';

/** A holds x; A2 waits for it. */
const X = `x lease 30s
  0.000 A attempts acquired
  1.000 A2 attempts refused
  1.001 A2 subscribes
  1.002 A2 attempts refused
`;
const RENEWED = `${X} 10.000 A renews\n 20.000 A renews\n`;
const THREADS = { 1: 'blocked by 2', 2: 'in lock with monitor', 3: 'at work' };
const TAKEN = seconds(15);
const verdict = (text = RENEWED, at = 22, watching: Watching = {}) =>
  verdictAt('jvm-redis-deadlock', story(text), seconds(at), {
    dumps: dumpStory({ threads: THREADS, takenAt: TAKEN }),
    ...watching,
  });

describe('jvm-redis-deadlock', () => {
  test('fires if the holder is blocked by a thread that waits for its lock', () => {
    const [A, A2] = [holderOf('A'), holderOf('A2')];
    expect(verdict()).toMatchObject([
      {
        ...{ severity: 'critical', confidence: 'likely', lock: 'x', holders: [A, A2], from: TAKEN, to: null },
        selfHealsAt: null,
        values: {
          path: [
            { holder: A, lock: null, monitor: 'java.lang.Object', heldBy: A2 },
            { holder: A2, lock: 'x', monitor: null, heldBy: A },
          ],
          dumpAt: TAKEN,
        },
      },
    ]);
  });

  test('reports that a lease that no watchdog renews breaks the deadlock', () => {
    expect(verdict(X)).toMatchObject([{ selfHealsAt: seconds(30.000_003) }]);
  });

  test('is a warning if a thread waits in tryLock(), which gives up', () => {
    const threads = { ...THREADS, 2: 'in tryLock with monitor' };
    const found = verdict(RENEWED, 22, { dumps: dumpStory({ threads, takenAt: TAKEN }) });
    expect(found).toMatchObject([{ severity: 'warning', values: { givesUp: true } }]);
    expect(verdict()).toMatchObject([{ values: { givesUp: false } }]);
  });

  test('fires across two locks and another client', () => {
    const y = `y lease 30s
      0.100 B attempts acquired
      2.000 A2 attempts refused
      2.001 A2 subscribes
      2.002 A2 attempts refused`;
    const x = `x lease 30s
      0.000 A attempts acquired
      1.000 B attempts refused
      1.001 B subscribes
      1.002 B attempts refused`;
    const dumps = dumpStory({ threads: THREADS, takenAt: TAKEN });
    const found = verdictAt('jvm-redis-deadlock', merged(story(x), story(y)), seconds(22), { dumps });
    expect(found).toMatchObject([{ holders: [holderOf('A'), holderOf('A2'), holderOf('B')] }]);
  });

  test.each([
    ['the owner of the monitor is not inside a call of Redisson', { 1: 'blocked by 2', 2: 'at work with monitor' }],
    ['the holder is not blocked', { 1: 'at work', 2: 'in lock with monitor' }],
    ['the holder is blocked by another thread', { 1: 'blocked by 3', 2: 'in lock', 3: 'at work with monitor' }],
    ['the waiter is not in the dump', { 1: 'blocked by 3', 3: 'in lock with monitor' }],
  ])('does not fire if %s', (_, threads) => {
    expect(verdict(RENEWED, 22, { dumps: dumpStory({ threads, takenAt: TAKEN }) })).toEqual([]);
  });

  test('does not fire if the wait began less than 10 s before the dump or later, if the instant of the dump is not known, or before that instant', () => {
    for (const takenAt of [seconds(0.5), seconds(5), null]) {
      expect(verdict(RENEWED, 22, { dumps: dumpStory({ threads: THREADS, takenAt }) })).toEqual([]);
    }
    expect(verdict(RENEWED, 14)).toEqual([]);
  });

  test('does not fire after the waiter acquired the lock, or after the holder acquired another lock', () => {
    expect(verdict(`${RENEWED} 20.500 A releases\n 20.501 A2 attempts acquired`, 22)).toEqual([]);
    const other = story('z lease 30s\n 18.000 A attempts acquired');
    const dumps = dumpStory({ threads: THREADS, takenAt: TAKEN });
    expect(verdictAt('jvm-redis-deadlock', merged(story(RENEWED), other), seconds(22), { dumps })).toEqual([]);
  });

  test('cannot know at level events, or if a wait began before a blind spot', () => {
    expect(verdict(RENEWED, 22, { level: 'events' })).toBe('cannot know: level');
    const blind = `${RENEWED} 3.000 redis loses sight\n 4.000 redis sees again\n`;
    expect(verdict(blind.replace(/ 10.000/, '10.000'), 22)).toBe('cannot know: blind-spot');
  });
});
