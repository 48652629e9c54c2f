import { describe, expect, test } from 'vitest';
import { verdictAt, type Watching } from '../../../../testing/goldens/report-from-events.ts';
import { fairStory } from '../../../../testing/stories/fair-story.ts';
import { holderOf, seconds } from '../../../../testing/stories/story.ts';

const QUEUE = `
  0.000  A waits 300
  1.000  B waits 300
  1.001  B subscribes
  1.002  B waits 300
  2.000  C waits 300
`;
const UNDATED = `${QUEUE}\n 3.000 - command ZREM Z B`;

const verdict = (text: string, at: number, watching: Watching = {}) =>
  verdictAt('fair-orphan-entry', fairStory(text), seconds(at), watching);

describe('fair-orphan-entry', () => {
  test('fires if an entry of the queue has no deadline: critical once the lock is free', () => {
    const found = { confidence: 'certain', holders: [holderOf('B')], from: seconds(3), to: null, selfHealsAt: null };
    expect(verdict(UNDATED, 5.1)).toMatchObject([
      { ...found, severity: 'warning', values: { position: 1, waiting: 1, isFree: false } },
    ]);
    expect(verdict(`${UNDATED}\n 3.500 A unlocks`, 5.6)).toMatchObject([{ ...found, severity: 'critical' }]);
  });

  test('fires for each entry if all deadlines were deleted', () => {
    const found = verdict(`${QUEUE}\n 3.000 - command DEL Z`, 5.1);
    expect(found).toMatchObject([{ holders: [holderOf('B')] }, { holders: [holderOf('C')] }]);
  });

  test('fires at level events, where reads show the queue', () => {
    expect(verdict(UNDATED, 5.1, { level: 'events' })).toMatchObject([{ confidence: 'certain' }]);
  });

  test('does not fire for entries with deadlines, or right after a deadline was deleted', () => {
    expect(verdict(QUEUE, 9)).toEqual([]);
    expect(verdict(UNDATED, 4)).toEqual([]);
  });

  test('ends when the entry is removed, when it has a deadline again, or when its waiter acquires the lock', () => {
    expect(verdict(`${UNDATED}\n 6.000 - command LREM Q 0 B`, 7)).toEqual([]);
    expect(verdict(`${UNDATED}\n 5.200 - command ZADD Z 1795000100000 B`, 5.5)).toEqual([]);
    expect(verdict(`${UNDATED}\n 5.000 A unlocks\n 5.001 B waits 300`, 5.5)).toEqual([]);
  });
});
