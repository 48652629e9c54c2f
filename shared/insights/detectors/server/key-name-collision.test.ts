import { describe, expect, test } from 'vitest';
import type { LockEvent } from '../../../events/event.ts';
import { merged, reportAt, verdictAt } from '../../../testing/report-from-events.ts';
import { serverStory } from '../../../testing/server-story.ts';
import { holderOf, seconds, story } from '../../../testing/story.ts';

const HELD = 'orders:42 lease 60s\n  0.000  A attempts acquired\n';
const verdict = (...parts: LockEvent[][]) => verdictAt('key-name-collision', merged(...parts), seconds(6));

describe('key-name-collision', () => {
  test('fires if a command writes over a held lock, with its sender', () => {
    const events = story(`${HELD}  2.000  app command SET orders:42 x`);
    expect(verdict(events, serverStory({}))).toMatchObject([
      {
        ...{ severity: 'critical', confidence: 'certain', lock: 'orders:42', holders: [holderOf('A')] },
        values: { lock: 'orders:42', command: 'SET' },
      },
    ]);
  });

  test('fires without a name if scripts that ask a hash got WRONGTYPE', () => {
    const report = { s: 4, errors: { WRONGTYPE: 1 }, failed: { evalsha: 1, hexists: 1 } };
    expect(verdict(serverStory({}, report))).toMatchObject([
      { confidence: 'likely', lock: null, values: { refusals: 1 } },
    ]);
  });

  test('does not fire for a lock that is deleted, or for errors of other commands and scripts', () => {
    expect(verdict(story(`${HELD}  2.000  app command DEL orders:42`), serverStory({}))).toEqual([]);
    expect(verdict(serverStory({}, { s: 4, errors: { WRONGTYPE: 1 }, failed: { hexists: 1 } }))).toEqual([]);
    expect(verdict(serverStory({}, { s: 4, errors: { WRONGTYPE: 1 }, failed: { evalsha: 1 } }))).toEqual([]);
  });

  test('cannot know where INFO is not permitted', () => {
    const { cannotTell } = reportAt(story(HELD), seconds(3));
    expect(cannotTell.filter(({ incident }) => incident === 'key-name-collision')).toMatchObject([
      { reason: 'server' },
    ]);
  });
});
