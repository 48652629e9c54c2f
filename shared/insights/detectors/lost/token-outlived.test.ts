import { describe, expect, test } from 'vitest';
import { verdictAt } from '../../../../testing/goldens/report-from-events.ts';
import { seconds, story } from '../../../../testing/stories/story.ts';
import type { LockEvent } from '../../../events/event.ts';
import type { Incident } from '../../insight.ts';

const [GRANT] = story('beat lease 3s\n 0.000 A attempts acquired');

function reported(seq: number, at: number, detail: object): LockEvent {
  const own = { ...GRANT, seq, at: seconds(at), kind: 'token-lock', holder: 'a', mode: 'exclusive' };
  return { ...own, library: 'redis-py', ...detail } as LockEvent; // each test adds the other fields
}

const TAKEN = reported(1, 0, { type: 'lock.acquired', holdCount: 1, leaseMs: 3000, expiresAt: seconds(3) });
const RENEWED = reported(2, 1, { type: 'lease.renewed', leaseMs: 3000, expiresAt: seconds(4) });
const EXPIRED = reported(3, 4.01, { type: 'lease.expired', expiresAt: seconds(4) });
const NEXT = reported(4, 5, { type: 'lock.acquired', holder: 'b', holdCount: 1, leaseMs: 3000 });
const TOO_LATE = reported(5, 6, { type: 'renewal.refused', reason: 'not-owner' });
const REFUSED = { type: 'unlock.refused', reason: 'expired' };
const UNLOCKED = reported(6, 7, REFUSED);
const verdict = (...events: LockEvent[]) => verdictAt('lease-shorter-than-work', events, seconds(8));

describe('lease-shorter-than-work of a lock with a token', () => {
  test('is critical if another client held the lock before a renewal was refused', () => {
    expect(verdict(TAKEN, RENEWED, EXPIRED, NEXT, TOO_LATE)).toMatchObject([
      {
        ...{ severity: 'critical', confidence: 'certain', holders: ['a', 'b'], from: seconds(4), to: seconds(6) },
        values: { isRenewal: true, renewedAt: seconds(1), heldMs: 5000, leaseMs: 3000, takenBy: 'b' },
      },
    ]);
  });

  test('reports a hold once, also if the unlock is refused after the renewal', () => {
    expect(verdict(TAKEN, RENEWED, EXPIRED, NEXT, TOO_LATE, UNLOCKED)).toMatchObject([{ to: seconds(6) }]);
  });

  test('does not fire if the client was refused the lock before its unlock', () => {
    expect(verdict(TAKEN, EXPIRED, NEXT, UNLOCKED)).toHaveLength(1);
    expect(verdict(TAKEN, EXPIRED, NEXT, { ...UNLOCKED, backAt: seconds(6) } as LockEvent)).toEqual([]);
  });

  test('does not fire if Redis did not answer for as long as the client was late', () => {
    const still = (from: number, to: number) =>
      ({
        ...reported(9, to, {}),
        ...{ type: 'server.stood-still', db: 0, lock: '' },
        from: seconds(from),
        to: seconds(to),
      }) as LockEvent; // an event about the source
    const [late, later] = [UNLOCKED, reported(6, 60, REFUSED)];
    const at = (...events: LockEvent[]) => verdictAt('lease-shorter-than-work', events, seconds(61));
    expect(at(TAKEN, EXPIRED, late)).toHaveLength(1);
    expect(at(TAKEN, still(2, 3.5), EXPIRED, late)).toEqual([]);
    expect(at(TAKEN, still(2, 3.5), EXPIRED, later)).toHaveLength(1);
  });

  test('fires if the lease was set by a second command, EXPIRE after SETNX', () => {
    const own = { library: 'unknown', kindKnown: false };
    const begun = reported(1, 0, { type: 'lock.acquired', holdCount: 1, expiresAt: null, by: 'app:1', ...own });
    const set = { type: 'lease.shortened', cause: 'command', holder: undefined, leaseMs: 4000, by: 'app:1', ...own };
    const found = verdict(begun, reported(2, 0.1, set), EXPIRED, { ...UNLOCKED, library: 'unknown' } as LockEvent);
    expect(found).toMatchObject([{ severity: 'warning', values: { leaseMs: 4000, isRenewal: false } }]);
  });

  describe('if a plain command shortened the lease of an own lock', () => {
    const own = (seq: number, at: number, detail: object) => reported(seq, at, { ...detail, library: 'unknown' });
    const begun = own(1, 0, {
      type: 'lock.acquired',
      holdCount: 1,
      leaseMs: 60_000,
      expiresAt: seconds(60),
      by: 'app:1',
    });
    const cutBy = (by: string) =>
      own(2, 1, { type: 'lease.shortened', cause: 'command', holder: undefined, leaseMs: 3000, by });
    const ended = own(3, 4, { type: 'lease.expired', expiresAt: seconds(4) });
    const late = own(4, 7, REFUSED);
    const removals = (...events: LockEvent[]) => verdictAt('operator-delete-or-flush', events, seconds(8));

    test('names neither the lease nor the command once the acquisition is too old to be looked at', () => {
      const cut = { ...cutBy('ops:9'), at: seconds(880), expiresAt: seconds(883) } as LockEvent;
      const gone = own(3, 883, { type: 'lease.expired', expiresAt: seconds(883) });
      const events = [begun, cut, gone, own(4, 890, REFUSED)];
      const found = (incident: Incident, at: number) => verdictAt(incident, events, seconds(at)).length;
      expect([found('lease-shorter-than-work', 895), found('operator-delete-or-flush', 895)]).toEqual([0, 1]);
      expect([found('lease-shorter-than-work', 902), found('operator-delete-or-flush', 902)]).toEqual([0, 0]);
    });

    test('does not fire if the command came from another client, because that command ended the hold', () => {
      const events = [begun, cutBy('ops:9'), ended, late];
      expect(verdict(...events)).toEqual([]);
      expect(removals(...events)).toMatchObject([{ values: { address: 'ops:9', shortenedAt: seconds(1) } }]);
      const renewal = own(4, 7, { type: 'renewal.refused', reason: 'expired' });
      expect(removals(begun, cutBy('ops:9'), ended, renewal)).toHaveLength(1);
    });

    test('does not blame the command of another client if the holder does not use the lock again, as in a release', () => {
      expect(removals(begun, cutBy('ops:9'), ended)).toEqual([]);
    });

    test('names the lease that the command set if it came on the connection of the holder', () => {
      const events = [begun, cutBy('app:1'), ended, late];
      expect(removals(...events)).toEqual([]);
      expect(verdict(...events)).toMatchObject([{ values: { leaseMs: 3000, renewedAt: seconds(1), heldMs: 6000 } }]);
    });
  });

  test('reports no lease for a hold that a read found, although the lease of an earlier hold is known', () => {
    const released = reported(2, 1, { type: 'lock.released', holdCount: 0 });
    const holders = [{ holder: 'a', holdCount: 1, mode: 'exclusive' }];
    const found = reported(3, 20, { type: 'lock.found', holder: undefined, holders, expiresAt: seconds(24) });
    const events = [TAKEN, released, found, reported(4, 24, { type: 'lease.expired' }), reported(5, 25, REFUSED)];
    expect(verdictAt('lease-shorter-than-work', events, seconds(26))).toMatchObject([
      { values: { leaseMs: null, heldMs: null, unlockedAt: seconds(25) } },
    ]);
  });

  test('is a warning if no client acquired the lock in between', () => {
    const found = verdict(TAKEN, EXPIRED, UNLOCKED);
    expect(found).toMatchObject([{ severity: 'warning', values: { isRenewal: false, renewedAt: null, heldMs: 7000 } }]);
  });

  test('does not fire if the holder acquires the lock again first, or if an error refused it', () => {
    const again = reported(5, 5, { type: 'lock.acquired', holdCount: 1, leaseMs: 3000 });
    expect(verdict(TAKEN, EXPIRED, again, reported(6, 6, { type: 'unlock.refused', reason: 'no-lock' }))).toEqual([]);
    expect(verdict(TAKEN, EXPIRED, reported(5, 6, { type: 'renewal.refused', reason: 'error' }))).toEqual([]);
  });

  test('does not fire without a refused unlock or renewal, or if the beginning of the hold was not seen', () => {
    expect(verdict(TAKEN, RENEWED, EXPIRED, NEXT)).toEqual([]);
    expect(verdict(EXPIRED, NEXT, TOO_LATE)).toEqual([]);
  });
});
