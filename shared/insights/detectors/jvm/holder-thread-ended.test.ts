import { describe, expect, test } from 'vitest';
import { verdictAt, type Watching } from '../../../../testing/goldens/report-from-events.ts';
import { dumpStory } from '../../../../testing/stories/dump-story.ts';
import { holderOf, seconds, story } from '../../../../testing/stories/story.ts';

const HELD = 'x lease 30s\n 0.000 A7 attempts acquired\n';
const RENEWED = `${HELD} 10.000 A7 renews\n 20.000 A7 renews\n`;
const WAITED = `${RENEWED} 21.000 B attempts refused\n 21.001 B subscribes\n 21.002 B attempts refused\n`;
const THREADS = { 1: 'at work', 2: 'in lock' };
const TAKEN = seconds(15);
const verdict = (text: string, at = 22, watching: Watching = {}) =>
  verdictAt('holder-thread-ended', story(text), seconds(at), {
    dumps: dumpStory({ threads: THREADS, takenAt: TAKEN }),
    ...watching,
  });

describe('holder-thread-ended', () => {
  test('fires if a whole dump has no thread with the id of the holder, and its watchdog still renews', () => {
    expect(verdict(WAITED)).toMatchObject([
      {
        ...{ severity: 'critical', confidence: 'likely', lock: 'x', holders: [holderOf('A7')], from: TAKEN, to: null },
        selfHealsAt: null,
        values: { thread: 7, dumpAt: TAKEN, since: seconds(0.000_002), isRenewed: true, endsAt: null, waiting: 1 },
      },
    ]);
    expect(verdict(RENEWED)).toMatchObject([{ severity: 'hint' }]);
  });

  test('without a watchdog, ends with the lease, unless another process has set the lease', () => {
    const found = verdict(HELD);
    expect(found).toMatchObject([{ selfHealsAt: seconds(30.000_003), values: { isRenewed: false } }]);
    const kept = verdict(`${HELD} 10.000 cron command PEXPIRE x 30000`);
    expect(kept).toMatchObject([{ selfHealsAt: null, values: { isRenewed: false } }]);
  });

  test('has the same id at three instants', () => {
    const ids = [15, 18, 22]
      .map((at) => verdict(WAITED, at))
      .flatMap((found) => (typeof found === 'string' ? [] : found));
    expect(ids).toHaveLength(3);
    expect(new Set(ids.map(({ id }) => id)).size).toBe(1);
  });

  test('does not fire if the thread is in the dump', () => {
    expect(verdict(HELD.replace('A7', 'A2'))).toEqual([]);
  });

  test('does not fire if a thread that is not listed may exist', () => {
    const dumps = (change: object) => ({ dumps: dumpStory({ threads: THREADS, takenAt: TAKEN, ...change }) });
    expect(verdict(WAITED, 22, dumps({ java: '21.0.4+7' }))).toEqual([]); // a virtual thread
    expect(verdict(WAITED, 22, dumps({ isWhole: false }))).toEqual([]);
  });

  test('does not fire if the hold began less than 10 s before the dump, or if the dump is from later or from an unknown instant', () => {
    for (const takenAt of [seconds(5), null, seconds(23)]) {
      expect(verdict(WAITED, 22, { dumps: dumpStory({ threads: THREADS, takenAt }) })).toEqual([]);
    }
  });

  test('does not fire without a dump, or for an id that no Java thread can have', () => {
    expect(verdict(RENEWED.replaceAll('A7', 'A4000000000'))).toEqual([]);
    expect(verdict(WAITED, 22, { dumps: new Map() })).toEqual([]);
  });

  test('cannot know while the source is not watched', () => {
    expect(verdict(`${RENEWED} 21.000 redis loses sight`)).toBe('cannot know: unwatched');
  });
});
