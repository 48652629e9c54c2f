import { describe, expect, test } from 'vitest';
import { merged, reportAt, verdictAt } from '../../../../testing/goldens/report-from-events.ts';
import { serverStory } from '../../../../testing/stories/server-story.ts';
import { seconds, story } from '../../../../testing/stories/story.ts';

const STILL = { from: seconds(1), to: seconds(9), shownBy: 'slow-log', command: 'EVAL', by: '10.0.0.1:5' } as const;
const LOST = story(`
  orders:42 lease 5s
  0.000  A attempts acquired
  9.100  redis hears expired
`);
const verdict = (stoodStill: object, s: number, level: 'monitor' | 'events' = 'monitor') => {
  const still = { ...STILL, ...stoodStill };
  const events = merged(LOST, serverStory({}, { s: 10, stoodStill: still }));
  return verdictAt('slow-script-busy', events, seconds(s), { level });
};

describe('slow-script-busy', () => {
  test('fires with the leases that ended while Redis did not answer', () => {
    expect(verdict({}, 11)).toMatchObject([
      {
        ...{ severity: 'critical', confidence: 'certain', from: seconds(1), to: seconds(9) },
        values: { lengthMs: 8000, command: 'EVAL', by: '10.0.0.1:5', expired: 1, clients: 1 },
      },
    ]);
    expect(verdict({ shownBy: 'clients' }, 11)).toMatchObject([{ confidence: 'likely' }]);
  });

  test('[I6] names a CLIENT PAUSE, while it lasts and afterwards', () => {
    const paused = serverStory({ pausedSince: seconds(2), pausedUntil: seconds(60) }, { s: 2 });
    expect(verdictAt('slow-script-busy', merged(LOST, paused), seconds(5))).toMatchObject([
      {
        from: seconds(2),
        isAtLeast: true,
        to: null,
        selfHealsAt: seconds(60),
        values: { pause: 'writes', endedAt: null },
      },
    ]);
    const ended = { shownBy: 'pause', command: 'CLIENT PAUSE', by: undefined };
    expect(verdict({ ...ended, isOfWrites: true }, 11)).toMatchObject([
      { confidence: 'certain', values: { pause: 'writes' } },
    ]);
    expect(verdict(ended, 11)).toMatchObject([{ confidence: 'likely', values: { pause: 'all' } }]);
  });

  test('is a hint if the standstill was short and no lease ended', () => {
    expect(verdict({ from: seconds(6), to: seconds(7.5) }, 11)).toMatchObject([{ severity: 'hint' }]);
  });

  test('also fires at level events', () => {
    expect(verdict({}, 11, 'events')).toHaveLength(1);
  });

  test('does not fire for a lease that ended by itself', () => {
    expect(verdictAt('slow-script-busy', merged(LOST, serverStory({})), seconds(11))).toEqual([]);
  });

  test('[I6] cannot know if pauses are not visible, but still names a CLIENT PAUSE that was seen', () => {
    const blind = serverStory({ arePausesUnseen: true }, { s: 2 });
    const { cannotTell } = reportAt(merged(LOST, blind), seconds(5));
    expect(cannotTell.filter(({ incident }) => incident === 'slow-script-busy')).toMatchObject([{ reason: 'server' }]);
    const paused = serverStory({ pausedSince: seconds(2), arePausesUnseen: true }, { s: 2 });
    expect(verdictAt('slow-script-busy', merged(LOST, paused), seconds(5))).toHaveLength(1);
  });

  test('cannot know where INFO is not permitted', () => {
    const { cannotTell } = reportAt(LOST, seconds(11));
    expect(cannotTell.filter(({ incident }) => incident === 'slow-script-busy')).toMatchObject([{ reason: 'server' }]);
  });
});
