import { describe, expect, test } from 'vitest';
import { merged, reportAt, verdictAt } from '../../../../testing/goldens/report-from-events.ts';
import { serverStory } from '../../../../testing/stories/server-story.ts';
import { seconds, story } from '../../../../testing/stories/story.ts';
import type { LockEvent } from '../../../events/event.ts';
import type { Denial, ServerSignal } from '../../../signals/server-signal.ts';
import { ENGLISH } from '../../english.ts';
import { textsOf } from '../../words.ts';

const LATCH: Denial = {
  ...{ user: 'svc', reason: 'key', object: 'redisson_unlock_latch:{order:1}:a', context: 'toplevel' },
  ...{ by: '10.0.0.1:5', times: 1 },
};
const CHANNEL: Denial = { ...LATCH, reason: 'channel', object: 'redisson_lock__channel:{order:1}', context: 'lua' };

const SAY = { who: (id: string) => id, clock: () => 'noon' };

describe('acl-denied', () => {
  test('reports a user once for all locks, with the missing rights and one example of each kind of key or channel', () => {
    const other = { ...LATCH, object: 'redisson_unlock_latch:{order:2}:b' };
    const events = serverStory({}, { s: 2, denied: [LATCH, CHANNEL] }, { s: 4, denied: [other] });
    expect(verdictAt('acl-denied', events, seconds(5))).toMatchObject([
      {
        ...{ severity: 'critical', confidence: 'certain', from: seconds(2), to: null },
        values: {
          user: 'svc',
          reasons: ['key', 'channel'],
          objects: [LATCH.object, CHANNEL.object],
          inScript: true,
          address: CHANNEL.by,
        },
      },
    ]);
  });

  test('has the confidence of a hint for a command that locks may need, unless a denial is surely about locks', () => {
    const set: Denial = { ...LATCH, reason: 'command', object: 'set', isGuess: true };
    const found = (...denied: Denial[]) => verdictAt('acl-denied', serverStory({}, { s: 2, denied }), seconds(3));
    expect(found(set)).toMatchObject([
      { severity: 'warning', confidence: 'hint', values: { user: 'svc', objects: ['set'], isGuess: true } },
    ]);
    const [both] = found(set, LATCH);
    expect(both).toMatchObject({
      severity: 'critical',
      confidence: 'certain',
      values: { objects: ['set', LATCH.object] },
    });
    expect(both).not.toMatchObject({ values: { isGuess: true } });
  });

  test('names the user, its client, the command and the key of the newest denial in the first sentence', () => {
    const key: Denial = { ...LATCH, object: 'lock:a', command: 'evalsha', connection: 'orders-api' };
    const set: Denial = { ...LATCH, reason: 'command', object: 'set', command: 'set' };
    const textOf = (...denied: Denial[]) => {
      const { insights } = reportAt(serverStory({}, { s: 2, denied }), seconds(3));
      return insights.map((insight) => textsOf(ENGLISH, insight, SAY).explanation).join();
    };
    expect(textOf(key)).toMatch(/^User svc at 10.0.0.1:5 \(orders-api\) may not use the key lock:a with EVALSHA\./);
    expect(textOf(key, set)).toMatch(
      /^User svc at 10.0.0.1:5 may not use the command set, and ACL LOG does not name the key\. It was also denied lock:a\./,
    );
  });

  test('also fires at level events', () => {
    const events = serverStory({}, { s: 2, denied: [LATCH] });
    expect(verdictAt('acl-denied', events, seconds(3), { level: 'events' })).toHaveLength(1);
  });

  test('does not fire for an error that ACL LOG does not explain', () => {
    const events = serverStory({}, { s: 2, errors: { NOPERM: 3 }, rejected: { evalsha: 1 } });
    expect(verdictAt('acl-denied', events, seconds(3))).toEqual([]);
  });

  test('has the confidence of a hint if only INFO shows that a user may not use channels, and locks need them', () => {
    const locked = story('orders:42 lease 60s\n0.000  A attempts acquired');
    const published = { errors: { ERR: 1 }, rejected: { publish: 1 }, failed: { evalsha: 1 } };
    const subscribed = { errors: { NOPERM: 1 }, rejected: { subscribe: 1 } };
    const found = (report: Partial<ServerSignal>, ...stories: LockEvent[][]) =>
      verdictAt('acl-denied', merged(serverStory(null, { s: 2, ...report }), ...stories), seconds(3));
    expect(found(published, locked)).toMatchObject([
      { severity: 'warning', confidence: 'hint', values: { user: null, objects: ['PUBLISH'], inScript: true } },
    ]);
    expect(found(subscribed, locked)).toMatchObject([{ values: { objects: ['SUBSCRIBE'], inScript: false } }]);
    const known = serverStory({});
    expect(found(subscribed, known)).toEqual([]);
    expect(found({ errors: { NOPERM: 1 }, rejected: { publish: 1 } }, known, locked)).toEqual([]);
    expect(found({ errors: { OOM: 1 }, rejected: { subscribe: 1 }, failed: { eval: 1 } }, known, locked)).toEqual([]);
  });

  test('names only what ACL LOG shows if ACL LOG explains the error', () => {
    const locked = story('orders:42 lease 60s\n0.000  A attempts acquired');
    const both = { errors: { NOPERM: 1 }, rejected: { subscribe: 1 }, denied: [CHANNEL] };
    expect(verdictAt('acl-denied', merged(serverStory({}, { s: 2, ...both }), locked), seconds(3))).toMatchObject([
      { confidence: 'certain', values: { user: 'svc' } },
    ]);
  });

  test('cannot know where INFO is not permitted', () => {
    const { cannotTell } = reportAt(story('orders:42 lease 60s\n0.000  A attempts acquired'), seconds(3));
    expect(cannotTell.filter(({ incident }) => incident === 'acl-denied')).toMatchObject([{ reason: 'server' }]);
  });
});
