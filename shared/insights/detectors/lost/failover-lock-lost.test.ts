import { describe, expect, test } from 'vitest';
import type { LockEvent } from '../../../events/event.ts';
import { verdictAt } from '../../../testing/report-from-events.ts';
import { holderOf, seconds, story } from '../../../testing/story.ts';

const [GRANT] = story(`
  orders:42 lease 60s
  0.000  A attempts acquired
`);

/** A later event of the same lock. */
function later(seq: number, at: number, detail: object): LockEvent {
  return { ...GRANT, seq, at: seconds(at), ...detail } as LockEvent; // each test gives its type and its fields
}

const LOST = later(2, 10, {
  ...{ type: 'lock.lost', holder: holderOf('A'), mode: 'exclusive', reason: 'failover' },
  ...{ certainty: 'inferred', expiresAt: seconds(60) },
});
const TAKEN = later(3, 12, { type: 'lock.acquired', holder: holderOf('B'), mode: 'exclusive', holdCount: 1 });
const verdict = (at: number, ...events: readonly LockEvent[]) =>
  verdictAt('failover-lock-lost', [...(GRANT ? [GRANT] : []), ...events], seconds(at));

describe('failover-lock-lost', () => {
  test('fires for a holder that does not know of its loss; critical once another thread holds the lock', () => {
    expect(verdict(11, LOST)).toMatchObject([
      { severity: 'warning', from: seconds(10), selfHealsAt: seconds(60), events: [2], values: { heldBy: null } },
    ]);
    expect(verdict(13, LOST, TAKEN)).toMatchObject([
      { severity: 'critical', holders: [holderOf('A'), holderOf('B')], values: { heldBy: holderOf('B') } },
    ]);
  });

  test('does not fire if the lock was deleted, or once the holder was refused or its lease would have ended', () => {
    expect(verdict(11, later(2, 10, { type: 'lock.deleted', holder: holderOf('A'), command: 'DEL' }))).toEqual([]);
    const refused = later(4, 20, { type: 'unlock.refused', holder: holderOf('A'), reason: 'not-owner' });
    expect(verdict(21, LOST, TAKEN, refused)).toEqual([]);
    expect(verdict(61, LOST)).toEqual([]);
  });

  test('cannot know while the source is not watched', () => {
    const blind = later(3, 12, { type: 'blind-spot.began', lock: '', reason: 'connection-lost' });
    expect(verdict(13, LOST, blind)).toBe('cannot know: unwatched');
  });
});
