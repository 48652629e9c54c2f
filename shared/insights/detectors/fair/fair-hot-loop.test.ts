import { describe, expect, test } from 'vitest';
import { merged, verdictAt, type Watching } from '../../../../testing/goldens/report-from-events.ts';
import { fairStory } from '../../../../testing/stories/fair-story.ts';
import { listed } from '../../../../testing/stories/listed.ts';
import { holderOf, seconds, story } from '../../../../testing/stories/story.ts';
import type { LockEvent } from '../../../events/event.ts';

/** B is the dead head, and C asks every `everyMs`, from this second on. */
const loop = (everyMs: number, from = 2.01) => {
  const calls = Array.from({ length: 100 }, (_, n) => `${(from + (n * everyMs) / 1000).toFixed(3)} C waits 300`);
  return `
  0.000  A waits 300
  1.000  B waits 300
  1.001  B subscribes
  1.002  B waits 300
  1.500  C waits 300
  1.501  C subscribes
  2.000  A unlocks
  ${calls.join('\n')}
  `;
};
const GONE = [...listed('connected', 1.9, 'A', 'B', 'C'), ...listed('gone', 1.95, 'B')];

const verdict = (text: string, at: number, watching: Watching = {}, lists: readonly LockEvent[] = GONE) =>
  verdictAt('fair-hot-loop', merged(fairStory(text), lists), seconds(at), watching);

describe('fair-hot-loop', () => {
  test('fires after 50 attempts without a pause, keeps its id, and reports an end, because the head is dead', () => {
    expect(verdict(loop(10), 2.4)).toEqual([]);
    const [found] = verdict(loop(10), 2.7) as unknown as [{ id: string; selfHealsAt: number }];
    expect(found).toMatchObject({
      ...{ severity: 'critical', confidence: 'certain', holders: [holderOf('C')], from: seconds(2.01), to: null },
      values: { perSecond: 100, head: holderOf('B') },
    });
    expect(found.selfHealsAt).toBeGreaterThan(seconds(300));
    expect((verdict(loop(10), 3.5) as unknown as [{ id: string }])[0].id).toBe(found.id);
  });

  test('reports the beginning as a lower limit if the loop already ran when watching began', () => {
    const blind = (end: number) => story(`other lease 1s\n 1.400 - loses sight\n ${end} - sees again`);
    const isAtLeast = (end: number) => {
      const [found] = verdict(loop(10), 2.9, {}, [...GONE, ...blind(end)]) as unknown as [{ isAtLeast?: true }];
      return found.isAtLeast === true;
    };
    expect([isAtLeast(2.005), isAtLeast(1.505)]).toEqual([true, false]);
  });

  test('has ended once the waiter is silent for a second, and is not reported once the waiter holds the lock', () => {
    expect(verdict(loop(10), 5)).toMatchObject([{ to: seconds(3), selfHealsAt: null }]);
    expect(verdict(`${loop(10)}\n 3.010 - command LREM Q 0 B\n 3.011 C waits 300`, 4)).toEqual([]);
  });

  test('reports no end if the head may be alive', () => {
    expect(verdict(loop(10), 3.1, {}, [])).toMatchObject([{ selfHealsAt: null }]);
  });

  test('does not fire until a head that may be alive has had time to wake up', () => {
    expect(verdict(loop(10), 2.7, {}, [])).toEqual([]);
    expect(verdict(`${loop(10)}\n 3.010 B waits 300`, 2.9, {}, [])).toEqual([]);
    // no release wakes the head when a lease ends: A's ends after 30 s
    expect(verdict(loop(10, 30.1).replace('2.000  A unlocks', ''), 30.9, {}, [])).toHaveLength(1);
  });

  test('does not fire for attempts with pauses, or while the lock is held', () => {
    expect(verdict(loop(50), 6)).toEqual([]);
    expect(verdict(loop(10).replace('A unlocks', 'A waits 300'), 3.5)).toEqual([]);
  });

  test('cannot know at level events', () => {
    expect(verdict(loop(10), 2.7, { level: 'events' })).toBe('cannot know: level');
  });
});
