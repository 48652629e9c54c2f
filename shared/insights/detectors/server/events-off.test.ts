import { describe, expect, test } from 'vitest';
import { merged, reportAt, verdictAt } from '../../../../testing/goldens/report-from-events.ts';
import { serverStory } from '../../../../testing/stories/server-story.ts';
import { holderOf, seconds, story } from '../../../../testing/stories/story.ts';
import type { LockEvent } from '../../../events/event.ts';

const HELD = story(`
  orders:42 lease 5s
  0.000  A attempts acquired
`);
const ENDED = {
  ...HELD[0],
  ...{ type: 'lease.expired', seq: 2, at: seconds(5), holder: holderOf('A'), mode: 'exclusive', certainty: 'inferred' },
} as LockEvent;
const verdict = (keyEvents: string | null, ended: LockEvent | null, level: 'monitor' | 'events' = 'monitor') =>
  verdictAt('events-off', merged(HELD, ended ? [ended] : [], serverStory({ keyEvents })), seconds(7), { level });

describe('events-off', () => {
  test('fires once a lease has ended without a key event, with the confidence of a hint if the setting is not known', () => {
    const values = { flags: '', lastLock: 'orders:42', leases: 1 };
    expect(verdict('', ENDED)).toMatchObject([{ severity: 'hint', confidence: 'certain', to: null, values }]);
    expect(verdict('Kgh', ENDED, 'events')).toHaveLength(1);
    expect(verdict(null, ENDED)).toMatchObject([{ confidence: 'hint' }]);
  });

  test('counts the end of a lock with two holders once', () => {
    const other = { ...ENDED, holder: holderOf('B') } as LockEvent;
    const all = merged(HELD, [ENDED, other], serverStory({ keyEvents: '' }));
    expect(verdictAt('events-off', all, seconds(7))).toMatchObject([{ values: { leases: 1 } }]);
  });

  test('does not fire while no lease has ended, or if Redis publishes the end', () => {
    expect(verdict('', null)).toEqual([]);
    expect(verdict('', { ...ENDED, certainty: 'observed' })).toEqual([]);
    expect(verdict('Ex', ENDED)).toEqual([]);
  });

  test('cannot know where INFO is not permitted', () => {
    const { cannotTell } = reportAt(merged(HELD, [ENDED]), seconds(7));
    expect(cannotTell.filter(({ incident }) => incident === 'events-off')).toMatchObject([{ reason: 'server' }]);
  });
});
