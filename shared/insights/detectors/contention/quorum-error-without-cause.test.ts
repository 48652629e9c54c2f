import { describe, expect, test } from 'vitest';
import { verdictAt, type Watching } from '../../../../testing/goldens/report-from-events.ts';
import { seconds } from '../../../../testing/stories/story.ts';
import type { LockEvent } from '../../../events/event.ts';

const LOCK = { source: 'redis', db: 0, lock: 'stock:7', kind: 'token-lock', certainty: 'observed', library: 'redlock' };
const [A, B] = ['a0000000000000000000000000000000', 'b0000000000000000000000000000000'];

const acquires = (at: number, holder: string, leaseMs: number) => ({
  ...{ ...LOCK, at: seconds(at), type: 'lock.acquired', holder, mode: 'exclusive', holdCount: 1, leaseMs },
  expiresAt: seconds(at + leaseMs / 1000),
});
const refused = (at: number, holder: string, attempt: number) => ({
  ...{ ...LOCK, at: seconds(at), type: 'lock.refused', holder, mode: 'exclusive', ttlMs: null, attempt },
  ...{ asleep: false, reason: 'held' },
});
const givesUp = (at: number, holder: string) => ({
  ...{ ...LOCK, at: seconds(at), type: 'waiter.dequeued', holder, reason: 'gave-up' },
});

const verdict = (at: number, sent: readonly object[], watching: Watching = {}) => {
  const events = sent.map((each, n) => ({ seq: n + 1, ...each }) as LockEvent); // each detail has all fields of its type
  return verdictAt('quorum-error-without-cause', events, seconds(at), watching);
};
const CONTENDED = [acquires(1, A, 9000), refused(2, B, 1), refused(2.2, B, 2), refused(2.4, B, 3)];

describe('quorum-error-without-cause', () => {
  test('[T10] names the holder of the lock if all attempts of a caller were refused', () => {
    expect(verdict(3, CONTENDED)).toEqual([]);
    expect(verdict(6, [...CONTENDED, givesUp(5.4, B)])).toMatchObject([
      {
        ...{ severity: 'hint', confidence: 'likely', from: seconds(2.4), to: seconds(2.4), events: [5] },
        values: { cause: 'held', holder: B, heldBy: A, times: 1, tries: 3, tookMs: 400 },
      },
    ]);
    expect(verdict(70, [...CONTENDED, givesUp(5.4, B)])).toEqual([]);
  });

  test('names no holder if all attempts were refused and no known token was in the key', () => {
    const [, ...tries] = CONTENDED;
    expect(verdict(6, [...tries, givesUp(5.4, B)])).toMatchObject([{ values: { cause: 'no-lock', heldBy: null } }]);
  });

  test('[T10] is a hint if the lease had ended when the answer arrived, and counts a repetition under the same id', () => {
    const late = [acquires(1, A, 600), refused(1.1, B, 1), refused(1.4, B, 2), acquires(1.7, B, 300)];
    const again = late.map((each) => ({ ...each, at: each.at + 3_000_000 }));
    const [first] = verdict(2, late) as readonly { id: string }[];
    expect(verdict(2, late)).toMatchObject([
      { severity: 'hint', confidence: 'hint', values: { cause: 'late', tries: 3, tookMs: 600, leaseMs: 300 } },
    ]);
    expect(verdict(5, [...late, ...again])).toMatchObject([{ id: first?.id, values: { times: 2 } }]);
  });

  test('does not fire if an attempt succeeds in time, or for another library', () => {
    expect(verdict(3, [...CONTENDED, acquires(2.6, B, 9000)])).toEqual([]);
    const other = [...CONTENDED, givesUp(5.4, B)].map((each) => ({ ...each, library: 'redis-py' }));
    expect(verdict(6, other)).toEqual([]);
  });

  test('does not fire for a lock on several servers: one refusal is not a failure', () => {
    const ofGroup = [...CONTENDED, givesUp(5.4, B)].map((each) => ({ ...each, group: 'g1' }));
    expect(verdict(6, ofGroup)).toEqual([]);
    const late = [acquires(1, A, 600), refused(1.1, B, 1), refused(1.4, B, 2), acquires(1.7, B, 300)];
    expect(verdict(2, late)).toHaveLength(1);
    expect(
      verdict(
        2,
        late.map((each) => ({ ...each, group: 'g1' })),
      ),
    ).toEqual([]);
  });

  test('cannot know at level events, or while the source is not watched', () => {
    const sent = [...CONTENDED, givesUp(5.4, B)];
    expect(verdict(6, sent, { level: 'events' })).toBe('cannot know: level');
    const blind = { ...LOCK, at: seconds(5.5), lock: '', type: 'blind-spot.began', reason: 'connection-lost' };
    expect(verdict(6, [...sent, blind])).toBe('cannot know: unwatched');
  });
});
