import { describe, expect, test } from 'vitest';
import type { Denial } from '../../../../shared/signals/server-signal.ts';
import { reportAt, verdictAt } from '../../../testing/report-from-events.ts';
import { serverStory } from '../../../testing/server-story.ts';
import { seconds, story } from '../../../testing/story.ts';

const LATCH: Denial = {
  ...{ user: 'svc', reason: 'key', object: 'redisson_unlock_latch:{order:1}:a', context: 'toplevel' },
  ...{ by: '10.0.0.1:5', times: 1 },
};
const CHANNEL: Denial = { ...LATCH, reason: 'channel', object: 'redisson_lock__channel:{order:1}', context: 'lua' };

describe('acl-denied', () => {
  test('names the user and what is missing, once for all locks', () => {
    const other = { ...LATCH, object: 'redisson_unlock_latch:{order:2}:b' };
    const events = serverStory({}, { s: 2, denied: [LATCH, CHANNEL] }, { s: 4, denied: [other] });
    expect(verdictAt('acl-denied', events, seconds(5))).toMatchObject([
      {
        ...{ severity: 'critical', confidence: 'certain', from: seconds(2), to: null },
        values: { user: 'svc', reasons: ['key', 'channel'], objects: [LATCH.object, CHANNEL.object], inScript: true },
      },
    ]);
  });

  test('says the same at level events', () => {
    const events = serverStory({}, { s: 2, denied: [LATCH] });
    expect(verdictAt('acl-denied', events, seconds(3), { level: 'events' })).toHaveLength(1);
  });

  test('does not fire for an error that ACL LOG does not explain', () => {
    const events = serverStory({}, { s: 2, errors: { NOPERM: 3 }, rejected: { evalsha: 1 } });
    expect(verdictAt('acl-denied', events, seconds(3))).toEqual([]);
  });

  test('cannot know where INFO is not permitted', () => {
    const { cannotTell } = reportAt(story('orders:42 lease 60s\n0.000  A attempts acquired'), seconds(3));
    expect(cannotTell.filter(({ incident }) => incident === 'acl-denied')).toMatchObject([{ reason: 'server' }]);
  });
});
