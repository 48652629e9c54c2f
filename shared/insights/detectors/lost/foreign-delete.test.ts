import { describe, expect, test } from 'vitest';
import { verdictAt, type Watching } from '../../../../testing/goldens/report-from-events.ts';
import { seconds, story } from '../../../../testing/stories/story.ts';
import type { LockEvent } from '../../../events/event.ts';

const [GRANT] = story('job lease 1s\n 0.000 A attempts acquired');

/** An event of a home-made lock. */
function reported(seq: number, at: number, detail: object): LockEvent {
  return { ...GRANT, seq, at: seconds(at), kind: 'token-lock', holder: 'b', ...detail } as LockEvent; // each test adds the other fields
}

const EXPIRED = reported(2, 1, { type: 'lease.expired', holder: 'a', mode: 'exclusive' });
const NEXT = reported(3, 1.1, { type: 'lock.acquired', holder: 'b', mode: 'exclusive', holdCount: 1 });
const DELETED = reported(4, 1.5, { type: 'lock.deleted', holder: 'b', holders: ['b'], command: 'DEL', late: 'a' });
const THIRD = reported(5, 1.6, { type: 'lock.acquired', holder: 'c', mode: 'exclusive', holdCount: 1 });
const verdict = (events: readonly LockEvent[], at: number, watching: Watching = {}) =>
  verdictAt('foreign-delete', events, seconds(at), watching);

describe('foreign-delete', () => {
  test('fires if a former holder deleted the lock of the next holder; is certain if the hold of the former was seen to expire', () => {
    expect(verdict([EXPIRED, NEXT, DELETED, THIRD], 1.8)).toMatchObject([
      {
        ...{ severity: 'critical', confidence: 'certain', from: seconds(1.5), to: null, events: [2, 4, 5] },
        values: { holder: 'b', late: 'a', expiredAt: seconds(1), takenBy: 'c' },
      },
    ]);
    expect(verdict([NEXT, DELETED], 1.8)).toMatchObject([{ confidence: 'likely', values: { expiredAt: null } }]);
    const byPool = { ...DELETED, certainty: 'inferred' } as const;
    expect(verdict([EXPIRED, NEXT, byPool], 1.8)).toMatchObject([{ confidence: 'likely', values: { late: 'a' } }]);
  });

  test('is over once the holder that lost the lock attempts it again, not when its unlock after that is refused', () => {
    const unlocked = reported(6, 1.75, { type: 'unlock.refused', reason: 'not-owner', backAt: seconds(1.7) });
    expect(verdict([EXPIRED, NEXT, DELETED, THIRD, unlocked], 1.8)).toMatchObject([{ to: seconds(1.7) }]);
    const again = reported(6, 1.75, { type: 'lock.acquired', mode: 'exclusive', holdCount: 1, waitedMs: 100 });
    expect(verdict([EXPIRED, NEXT, DELETED, THIRD, again], 1.8)).toMatchObject([{ to: seconds(1.65) }]);
  });

  test('does not fire if an operator deletes the lock, or if a new token overwrites it', () => {
    const { late: _, ...byOperator } = DELETED as LockEvent & { late?: string };
    expect(verdict([EXPIRED, NEXT, byOperator as LockEvent], 1.8)).toEqual([]);
    expect(verdict([EXPIRED, NEXT, { ...DELETED, command: 'SET' } as LockEvent], 1.8)).toEqual([]);
  });

  test('cannot know at level events', () => {
    expect(verdict([EXPIRED, NEXT, DELETED], 1.8, { level: 'events' })).toBe('cannot know: level');
  });
});
