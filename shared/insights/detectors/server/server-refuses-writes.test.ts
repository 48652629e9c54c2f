import { describe, expect, test } from 'vitest';
import { merged, reportAt, verdictAt } from '../../../../testing/goldens/report-from-events.ts';
import { PLAIN_SERVER, serverStory } from '../../../../testing/stories/server-story.ts';
import { seconds, story } from '../../../../testing/stories/story.ts';
import type { LockEvent } from '../../../events/event.ts';

const FULL = { maxMemoryBytes: 1_000_000 };
const OOM = { errors: { OOM: 2 }, rejected: { hincrby: 2 }, failed: { evalsha: 2 }, usedMemoryBytes: 2_000_000 };
const HELD = story(`
  orders:42 lease 60s
  0.000  A attempts acquired
`);

describe('server-refuses-writes', () => {
  test('fires at the first refusal, names the next lease that ends, and ends when the refusals do', () => {
    const events = merged(HELD, serverStory(FULL, { s: 2, ...OOM }, { s: 4, ...OOM }));
    const at = (s: number) => verdictAt('server-refuses-writes', events, seconds(s));
    const [insight] = at(3);
    expect(insight).toMatchObject({
      severity: 'critical',
      confidence: 'certain',
      lock: null,
      source: 'story',
      from: seconds(0),
      to: null,
      values: { error: 'OOM', policy: 'noeviction', held: 1, nextFreeAt: seconds(60) + 3 },
    });
    expect(at(25)).toMatchObject([{ id: (insight as { id: string }).id, to: seconds(2) }]);
  });

  test('ends at once for OOM if the memory limit is removed, but not if no limit was ever reported', () => {
    const unlimited = { facts: { ...PLAIN_SERVER, maxMemoryBytes: null } };
    const at = (s: number, ...events: LockEvent[][]) =>
      verdictAt('server-refuses-writes', merged(HELD, ...events), seconds(s));
    const removed = serverStory(FULL, { s: 2, ...OOM }, { s: 4, ...unlimited });
    expect(at(3, removed)).toMatchObject([{ severity: 'critical', to: null }]);
    expect(at(5, removed)).toMatchObject([{ severity: 'warning', to: seconds(2) }]);
    const set = serverStory(
      FULL,
      { s: 2, ...OOM },
      { s: 4, ...unlimited },
      { s: 6, facts: { ...PLAIN_SERVER, ...FULL } },
      { s: 8, ...OOM },
    );
    expect(at(9, set)).toMatchObject([{ severity: 'critical', to: null }]);
    expect(at(5, serverStory({}, { s: 2, ...OOM }, { s: 4, ...unlimited }))).toMatchObject([{ to: null }]);
    const other = { errors: { MISCONF: 2 }, failed: { evalsha: 2 } };
    expect(at(5, serverStory(FULL, { s: 2, ...other }, { s: 4, ...unlimited }))).toMatchObject([{ to: null }]);
  });

  test('keeps its id while the errors continue', () => {
    const reports = Array.from({ length: 600 }, (_, n) => ({ s: 2 + n * 2, ...OOM }));
    const events = serverStory(FULL, ...reports);
    const ids = [3, 300, 900, 1200].map((s) => reportAt(events, seconds(s)).insights.map(({ id }) => id));
    expect(new Set(ids.flat()).size).toBe(1);
  });

  test('fires for a cluster of which a part has no master: Redis rejects EVAL there before it runs', () => {
    const events = serverStory({}, { s: 20, errors: { CLUSTERDOWN: 3 }, rejected: { eval: 3 } });
    expect(verdictAt('server-refuses-writes', events, seconds(21))).toMatchObject([
      { severity: 'critical', confidence: 'certain', values: { error: 'CLUSTERDOWN', refusals: 3 } },
    ]);
    expect(verdictAt('topology-churn', events, seconds(21))).toEqual([]);
  });

  test('reports its beginning as a lower limit if Redis refused soon after watching began', () => {
    const watched = story('orders:42 lease 60s\n 0.000 - loses sight\n 0.100 - sees again');
    const at = (s: number) =>
      verdictAt('server-refuses-writes', merged(watched, serverStory(FULL, { s, ...OOM })), seconds(s + 1))[0];
    expect(at(2)).toMatchObject({ from: seconds(0), isAtLeast: true });
    expect(at(20)).not.toHaveProperty('isAtLeast');
  });

  test('is no more than a warning if no lock script was refused', () => {
    const events = serverStory(FULL, { s: 2, errors: { OOM: 1 }, rejected: { set: 1 } });
    expect(verdictAt('server-refuses-writes', events, seconds(3))).toMatchObject([{ severity: 'warning' }]);
  });

  test('does not fire for other errors, or for the first use of a script', () => {
    const events = serverStory(
      {},
      { s: 2, errors: { NOSCRIPT: 3 }, failed: { evalsha: 3 } },
      { s: 4, errors: { WRONGTYPE: 1 } },
    );
    expect(verdictAt('server-refuses-writes', events, seconds(5))).toEqual([]);
  });

  test('cannot know where INFO is not permitted', () => {
    const { cannotTell } = reportAt(HELD, seconds(3));
    expect(cannotTell).toContainEqual({
      incident: 'server-refuses-writes',
      effect: 'other',
      source: 'story',
      reason: 'server',
      locks: 0,
    });
  });

  test('also fires at level events', () => {
    const events = serverStory(FULL, { s: 2, ...OOM });
    expect(verdictAt('server-refuses-writes', events, seconds(3), { level: 'events' })).toHaveLength(1);
  });
});
