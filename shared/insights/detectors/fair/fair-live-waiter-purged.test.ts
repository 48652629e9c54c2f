import { describe, expect, test } from 'vitest';
import { merged, verdictAt, type Watching } from '../../../../testing/goldens/report-from-events.ts';
import { fairStory } from '../../../../testing/stories/fair-story.ts';
import { listed } from '../../../../testing/stories/listed.ts';
import { holderOf, seconds } from '../../../../testing/stories/story.ts';
import type { LockEvent } from '../../../events/event.ts';

/** B waits longer than its deadline while A holds the lock, and C evicts it. */
const EVICTED = `
  0.000  A waits 300
  1.000  B waits 2
  1.001  B subscribes
  1.002  B waits 2
  5.000  A waits 300
  6.001  B waits 2
  7.900  A waits 300
  10.000 C waits 300
  10.001 C subscribes
  10.002 C waits 300
`;
const ALL = listed('connected', 2, 'A', 'B', 'C');

const verdict = (text: string, at: number, lists: readonly LockEvent[] = ALL, watching: Watching = {}) =>
  verdictAt('fair-live-waiter-purged', merged(fairStory(text), lists), seconds(at), watching);

describe('fair-live-waiter-purged', () => {
  test('fires if a waiter that listens was evicted', () => {
    const found = { severity: 'warning', holders: [holderOf('B')], from: seconds(10), to: null };
    expect(verdict(EVICTED, 10.5)).toMatchObject([{ ...found, confidence: 'likely', values: { backAt: null } }]);
    const [{ selfHealsAt }] = verdict(EVICTED, 10.5) as unknown as [{ selfHealsAt: number }];
    expect(selfHealsAt).toBe(seconds(11)); // the end of the lease when the waiter last asked
  });

  test('becomes certain when the waiter attempts again, and the finding keeps its id', () => {
    const back = `${EVICTED}\n 11.003 B waits 2`;
    const [before, after] = [verdict(back, 10.5), verdict(back, 12)] as unknown as [{ id: string }][];
    expect(after).toMatchObject([{ confidence: 'certain', to: seconds(11.003), values: { backAt: seconds(11.003) } }]);
    expect(after?.[0].id).toBe(before?.[0].id);
  });

  test('does not fire if the evicted waiter is dead, if a client with a wrong clock evicted it, or before the eviction', () => {
    expect(verdict(EVICTED, 10.5, [...listed('connected', 2, 'A', 'C'), ...listed('gone', 9, 'B')])).toEqual([]);
    const early = `${EVICTED.slice(0, EVICTED.indexOf('5.000'))}\n 2.000 C clock 1200\n 2.001 C waits 300`;
    expect(verdict(early, 3)).toEqual([]);
    expect(verdict(EVICTED.slice(0, EVICTED.indexOf('10.000')), 9.95)).toEqual([]);
  });

  test('cannot know without the presence of the client, or at level events', () => {
    expect(verdict(EVICTED, 10.5, [])).toBe('cannot know: presence');
    expect(verdict(EVICTED, 10.5, ALL, { level: 'events' })).toBe('cannot know: level');
  });
});
