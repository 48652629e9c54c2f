import { describe, expect, test } from 'vitest';
import { verdictAt, type Watching } from '../../../../testing/goldens/report-from-events.ts';
import { fairStory } from '../../../../testing/stories/fair-story.ts';
import { holderOf, seconds } from '../../../../testing/stories/story.ts';
import type { LockEvent } from '../../../events/event.ts';

/** A queue in which the deadline of each newcomer is `waitSeconds` after that of the waiter before it. */
const queue = (waitSeconds: number) => `
  0.000  A waits 300
  1.000  B waits ${waitSeconds}
  1.001  C waits ${waitSeconds}
  1.002  D waits ${waitSeconds}
`;

function verdict(text: string, at: number, version: string, watching: Watching = {}) {
  const events = fairStory(text).map((event) => ({ ...event, clientVersion: version }) as LockEvent);
  return verdictAt('fair-timeout-drift', events, seconds(at), watching);
}

describe('fair-timeout-drift', () => {
  test('[F19] fires if a deadline of Redisson up to 3.11.0 is later than the lease and the place in the queue explain', () => {
    expect(verdict(queue(60), 3, '3.2.0–3.11.0')).toMatchObject([
      {
        ...{ severity: 'warning', confidence: 'likely', from: seconds(1), to: null, selfHealsAt: null },
        values: { holder: holderOf('D'), excessSeconds: 165, version: '3.2.0–3.11.0' },
      },
    ]);
  });

  test('does not fire for the deadlines of a healthy queue, or for later versions, which wait for minutes', () => {
    expect(verdict(queue(5), 3, '3.2.0–3.11.0')).toEqual([]);
    expect(verdict(queue(60), 3, '3.11.1–3.30.0')).toEqual([]);
    expect(verdict(queue(300), 3, '3.2.0–4.7.0')).toEqual([]);
  });

  test('is not certain if only the newest holder is known to be old: the waiters may be of another version', () => {
    const events = fairStory(queue(60)).map((event) => {
      const isOfHolder = event.type === 'lock.acquired';
      return (isOfHolder ? { ...event, clientVersion: '3.2.0–3.11.0' } : event) as LockEvent; // the same event
    });
    expect(verdictAt('fair-timeout-drift', events, seconds(3))).toMatchObject([{ confidence: 'likely' }]);
  });

  test('cannot know at level events', () => {
    expect(verdict(queue(60), 3, '3.2.0–3.11.0', { level: 'events' })).toBe('cannot know: level');
  });
});
