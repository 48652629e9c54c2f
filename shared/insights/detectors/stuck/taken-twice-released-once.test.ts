import { describe, expect, test } from 'vitest';
import { verdictAt } from '../../../../testing/goldens/report-from-events.ts';
import { holderOf, seconds, story } from '../../../../testing/stories/story.ts';
import type { LockEvent } from '../../../events/event.ts';

const [GRANT] = story('stock lease 60s\n 0.000 A attempts acquired');

/** An event of a lock whose token identifies the client. */
function reported(seq: number, type: string, detail: object = {}): LockEvent {
  return {
    ...GRANT,
    seq,
    at: seconds(seq),
    kind: 'token-lock',
    type,
    library: 'spring-integration',
    ...detail,
  } as LockEvent; // each test adds the other fields
}

const verdict = (...events: LockEvent[]) => verdictAt('taken-twice-released-once', events, seconds(9));
const REFUSED = reported(5, 'unlock.refused', { reason: 'no-lock' });

describe('taken-twice-released-once', () => {
  test('is a hint if a client acquired a lock that it held, released it once, and its second unlock was refused', () => {
    const found = verdict(
      reported(1, 'lock.acquired'),
      reported(2, 'lock.reentered'),
      reported(3, 'lock.released'),
      REFUSED,
    );
    expect(found).toMatchObject([
      {
        ...{ severity: 'hint', confidence: 'likely', holders: [holderOf('A')], from: seconds(2), to: seconds(5) },
        values: { againAt: seconds(2), releasedAt: seconds(3), refusedAt: seconds(5) },
      },
    ]);
  });

  test('does not fire for a lock that was acquired once, or that the client acquired again after its release', () => {
    expect(verdict(reported(1, 'lock.acquired'), reported(3, 'lock.released'), REFUSED)).toEqual([]);
    const again = [
      reported(1, 'lock.acquired'),
      reported(2, 'lock.reentered'),
      reported(3, 'lock.released'),
      reported(4, 'lock.acquired'),
    ];
    expect(verdict(...again, REFUSED)).toEqual([]);
  });

  test('does not fire if another client holds the lock, or if an error refused the unlock', () => {
    const first = [reported(1, 'lock.acquired'), reported(2, 'lock.reentered'), reported(3, 'lock.released')];
    expect(verdict(...first, { ...REFUSED, holder: 'other' } as LockEvent)).toEqual([]);
    expect(verdict(...first, { ...REFUSED, reason: 'error' } as LockEvent)).toEqual([]);
  });

  test('does not fire for a library with one token for each hold, because there the application passed the token itself', () => {
    const first = [reported(1, 'lock.acquired'), reported(2, 'lock.reentered'), reported(3, 'lock.released'), REFUSED];
    expect(verdict(...first.map((event) => ({ ...event, library: 'redislock' }) as LockEvent))).toEqual([]);
  });
});
