import { describe, expect, test } from 'vitest';
import { merged, verdictAt, type Watching } from '../../../../testing/goldens/report-from-events.ts';
import { heardStory, pushed, readHeld, released } from '../../../../testing/stories/heard-story.ts';
import { holderOf, seconds, story } from '../../../../testing/stories/story.ts';
import type { LockEvent } from '../../../events/event.ts';
import { clientOf } from '../../../events/names/names.ts';

/** The events of a story, sent by a client of these releases. */
function reported(version: string, text: string): LockEvent[] {
  return story(`job lease 6s\n${text}`).map((event) =>
    event.type === 'lock.acquired' || event.type === 'lease.renewed' ? { ...event, clientVersion: version } : event,
  );
}
const verdict = (events: readonly LockEvent[], at: number, watching: Watching = {}) =>
  verdictAt('renewal-broken-after-error', events, seconds(at), watching);

const REPEATED = `
  0      A attempts acquired
  2      A renews
  5      A renews
  5.001  A renews
  11.001 - hears expired`;
const DELETED = `
  0   A attempts acquired
  2   A renews
  3   X command DEL job
  4   A attempts acquired
  10  - hears expired`;

const UNRENEWED = `
  0   A attempts acquired
  6   - hears expired`;
/** A story with renewals of A's client at these seconds that named no holder. */
function withEmpty(at: readonly number[], other: object = {}, text = UNRENEWED): LockEvent[] {
  const events = reported('3.24.0–4.7.0', text);
  const [first] = events;
  if (!first) throw new Error('The story has no event.');
  const detail = { type: 'renewal.without-holder', client: clientOf(holderOf('A')), leaseMs: 6000 } as const;
  const { seq, source, db, lock, kind } = first;
  const empty = at.map((second): LockEvent => {
    return { seq, source, db, lock, kind, at: seconds(second), certainty: 'observed', ...detail, ...other };
  });
  return merged(events, empty);
}

const NOT_RUN = `${UNRENEWED}
  6.1 A renewal refused`;
/** A story with repeated renewals of A at these seconds that Redis did not run. */
function withNotRun(at: readonly number[], other: object = {}, text = NOT_RUN): LockEvent[] {
  return withEmpty(
    at,
    { type: 'renewal.not-run', client: undefined, leaseMs: undefined, holder: holderOf('A'), ...other },
    text,
  );
}

describe('renewal-broken-after-error', () => {
  test('fires if a renewal was repeated and no other followed; is critical if another thread acquired the lock', () => {
    const found = { severity: 'warning', confidence: 'likely', holders: [holderOf('A')], to: null };
    expect(verdict(reported('3.12.3–3.43.0', REPEATED), 12)).toMatchObject([
      { ...found, values: { fault: 'gave-up' } },
    ]);
    const overlap = reported('3.12.3–3.43.0', `${REPEATED}\n12 B attempts acquired`);
    expect(verdict(overlap, 13)).toMatchObject([{ severity: 'critical', holders: [holderOf('A'), holderOf('B')] }]);
  });

  test('does not fire for a client version without this fault, or an unknown version', () => {
    expect(verdict(reported('3.44.0', REPEATED), 12)).toEqual([]);
    expect(verdict(reported('3.12.3–3.44.0', REPEATED), 12)).toEqual([]);
    expect(verdict(story(`job lease 6s\n${REPEATED}`), 12)).toEqual([]);
  });

  test('does not fire if renewals stopped without a repeated renewal', () => {
    expect(verdict(reported('3.12.3–3.43.0', REPEATED.replace('  5.001  A renews\n', '')), 12)).toEqual([]);
  });

  test('fires if after a deletion the next hold is never renewed, and is certain at the second such hold', () => {
    const values = { fault: 'stale', times: 1, version: '3.1.0–3.12.2' };
    expect(verdict(reported('3.1.0–3.12.2', DELETED), 11)).toMatchObject([{ confidence: 'likely', values }]);
    const again = reported('3.1.0–3.12.2', `${DELETED}\n11 A attempts acquired\n17 - hears expired`);
    const found = verdict(again, 18);
    expect(found).toMatchObject([{ confidence: 'likely' }, { confidence: 'certain', values: { times: 2 } }]);
  });

  test('does not fire without a deletion, or if a hold since the deletion was renewed', () => {
    const renewed = DELETED.replace('10  -', '6   A renews\n  12  -');
    expect(verdict(reported('3.1.0–3.12.2', renewed), 13)).toEqual([]);
    expect(verdict(reported('3.1.0–3.12.2', DELETED.replace('3   X command DEL job', '3   A releases')), 11)).toEqual(
      [],
    );
  });

  test('fires if the renewals during the hold named no holder', () => {
    const found = { confidence: 'likely', values: { fault: 'no-holder', times: 2, version: null } };
    expect(verdict(withEmpty([3, 5]), 11)).toMatchObject([found]);
  });

  test('does not fire if renewals without a holder belong to another client, set another lease or ended long before the lease', () => {
    expect(verdict(withEmpty([3, 5], { client: clientOf(holderOf('B')) }), 11)).toEqual([]);
    expect(verdict(withEmpty([3, 5], { leaseMs: 5999 }), 11)).toEqual([]);
    expect(verdict(withEmpty([2]), 11)).toEqual([]);
    expect(verdict(withEmpty([7]), 11)).toEqual([]);
  });

  test('does not fire if the hold was renewed or released', () => {
    expect(verdict(withEmpty([3, 5], {}, '0 A attempts acquired\n1 A renews\n7 - hears expired'), 11)).toEqual([]);
    expect(verdict(withEmpty([3, 5], {}, '0 A attempts acquired\n5.5 A releases'), 11)).toEqual([]);
  });

  test('fires if Redis did not run a repeated renewal, once the holder has used the lock again after the end', () => {
    const found = { confidence: 'likely', severity: 'warning', values: { fault: 'not-run', times: 1, version: null } };
    expect(verdict(withNotRun([3]), 6.05)).toEqual([]);
    expect(verdict(withNotRun([3]), 6.2)).toMatchObject([{ ...found, holders: [holderOf('A')], to: null }]);
    const overlap = NOT_RUN.replace('6.1', '6.05 B attempts acquired\n 6.1');
    expect(verdict(withNotRun([3], {}, overlap), 7)).toMatchObject([{ ...found, severity: 'critical' }]);
    const unlocked = NOT_RUN.replace('renewal', 'unlock');
    expect(verdict(withNotRun([3], {}, unlocked), 7)).toMatchObject([{ ...found, to: seconds(6.100_001) }]);
  });

  test('does not fire if the repeated renewal belongs to another hold, or if the lock was renewed or released', () => {
    expect(verdict(withNotRun([3], { holder: holderOf('A2') }), 7)).toEqual([]);
    expect(verdict(withNotRun([3], { mode: 'write' }), 7)).toEqual([]);
    expect(verdict(withNotRun([6.05]), 7)).toEqual([]);
    expect(
      verdict(
        withNotRun([3], {}, '0 A attempts acquired\n3.1 A renews\n9.1 - hears expired\n9.2 A renewal refused'),
        10,
      ),
    ).toEqual([]);
    expect(verdict(withNotRun([3], {}, '0 A attempts acquired\n5.5 A releases\n 6.1 A renewal refused'), 7)).toEqual(
      [],
    );
  });

  test('fires only for the hold with the renewal that Redis did not run, not for a later one of the same holder', () => {
    const again = `${NOT_RUN}\n 7 A attempts acquired\n 13 - hears expired\n 13.1 A unlock refused`;
    expect(verdict(withNotRun([3], {}, again), 14)).toMatchObject([{ from: seconds(6.000_003) }]);
  });

  test('does not fire if the client may have died or restarted', () => {
    expect(verdict(withNotRun([3], {}, UNRENEWED), 60)).toEqual([]);
    expect(verdict(withNotRun([3], {}, `${UNRENEWED}\n6.1 A attempts acquired\n7 A renewal refused`), 8)).toEqual([]);
  });

  test('without commands, is a hint if a watchdog renewed before, and the client used the lock again', () => {
    const before = '0 A attempts acquired\n 2 A renews\n 3 A releases';
    const held = '4 A attempts acquired\n 10 - hears expired';
    const level = { level: 'events' } as const;
    const at = (text: string, watching: Watching = level) => verdict(reported('4.7.0', text), 12, watching);
    const hint = { severity: 'warning', confidence: 'hint', values: { fault: 'unseen', version: null } };
    expect(at(`${before}\n ${held}\n 11 A attempts acquired`)).toMatchObject([hint]);
    expect(at(`${before}\n ${held}\n 11 A attempts acquired`, {})).toEqual([]);
    const cannotKnow = 'cannot know: level';
    expect(at(`${before}\n ${held}`)).toBe(cannotKnow);
    expect(at(`${held}\n 11 A attempts acquired`)).toBe(cannotKnow);
    expect(at(`${before}\n 4 A attempts acquired\n 6 A renews\n 12 - hears expired`)).toBe(cannotKnow);
  });

  test('compares leases with a tolerance, because reads find them a little after they were set', () => {
    const renewed = [readHeld(0, 'A', 5999), readHeld(2, 'A', 5995), readHeld(4, 'A', 5991)];
    const held = [readHeld(6, 'A', 5998), pushed(11.998, 'expired'), readHeld(14, 'A', 5997)];
    const events = heardStory(...renewed, ...released(5), ...held);
    expect(verdict(events, 15, { level: 'events' })).toMatchObject([{ confidence: 'hint', from: seconds(11.998) }]);
  });
});
