import { describe, expect, test } from 'vitest';
import { reportAt, verdictAt } from '../../../../testing/goldens/report-from-events.ts';
import { serverStory } from '../../../../testing/stories/server-story.ts';
import { seconds, story } from '../../../../testing/stories/story.ts';

const verdict = (errors: Record<string, number>, failed: Record<string, number>, s = 3) =>
  verdictAt('topology-churn', serverStory({ role: 'replica' }, { s: 2, errors, failed }), seconds(s));

describe('topology-churn', () => {
  test('fires if lock scripts are sent to a server that is not the master', () => {
    expect(verdict({ READONLY: 3, NOSCRIPT: 1 }, { evalsha: 4 })).toMatchObject([
      {
        severity: 'critical',
        confidence: 'likely',
        to: null,
        values: { error: 'READONLY', refusals: 3, isReplica: true },
      },
    ]);
    expect(verdict({ READONLY: 3 }, { evalsha: 3 }, 60)).toMatchObject([{ severity: 'warning', to: seconds(2) }]);
  });

  test('fires also if EVAL is rejected before it runs', () => {
    const events = serverStory({ role: 'replica' }, { s: 2, errors: { READONLY: 3 }, rejected: { eval: 3 } });
    expect(verdictAt('topology-churn', events, seconds(3))).toMatchObject([{ severity: 'critical' }]);
  });

  test('warns if SET, by which token locks are taken, is refused by a server that is not the master', () => {
    const events = serverStory({ role: 'replica' }, { s: 2, errors: { READONLY: 9 }, rejected: { set: 9 } });
    expect(verdictAt('topology-churn', events, seconds(3))).toMatchObject([
      { severity: 'warning', to: null, values: { error: 'READONLY', refusals: 9, isReplica: true } },
    ]);
  });

  test('fires for a flood of commands for other slots', () => {
    expect(verdict({ MOVED: 500 }, {})).toMatchObject([{ values: { error: 'MOVED' } }]);
  });

  test('warns of scripts that the server does not have, if clients call them again and again, for example twice a second', () => {
    const storm = Array.from({ length: 60 }, (_, n) => {
      return { s: 2 * (n + 1), errors: { NOSCRIPT: 4 }, failed: { evalsha: 4 } };
    });
    expect(verdictAt('topology-churn', serverStory({}, ...storm), seconds(51))).toMatchObject([
      { severity: 'warning', confidence: 'likely', to: null, values: { error: 'NOSCRIPT', refusals: 100 } },
    ]);
  });

  test('does not fire for a client that learns the slots, or for writes that are not scripts', () => {
    expect(verdict({ MOVED: 6, OOM: 1 }, { evalsha: 6 })).toEqual([]);
    expect(verdict({ NOSCRIPT: 3 }, { evalsha: 3 })).toEqual([]);
    expect(verdict({ READONLY: 1 }, {})).toEqual([]);
  });

  test('cannot know where INFO is not permitted', () => {
    const { cannotTell } = reportAt(story('orders:42 lease 60s\n0.000  A attempts acquired'), seconds(3));
    expect(cannotTell.filter(({ incident }) => incident === 'topology-churn')).toMatchObject([{ reason: 'server' }]);
  });
});
