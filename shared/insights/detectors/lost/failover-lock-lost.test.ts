import { describe, expect, test } from 'vitest';
import { verdictAt } from '../../../../testing/goldens/report-from-events.ts';
import { groupEvents, groupsReported } from '../../../../testing/stories/group-story.ts';
import { holderOf, seconds, story } from '../../../../testing/stories/story.ts';
import { withGroups } from '../../../../testing/traces/grouped-trace.ts';
import type { LockEvent } from '../../../events/event.ts';

const [GRANT] = story(`
  orders:42 lease 60s
  0.000  A attempts acquired
`);

function later(seq: number, at: number, detail: object): LockEvent {
  return { ...GRANT, seq, at: seconds(at), ...detail } as LockEvent; // each test adds the type and its fields
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
    expect(verdict(21, LOST, refused)).toEqual([]);
    expect(verdict(61, LOST)).toEqual([]);
  });

  test('is reported after its end, but no longer after 15 minutes, if another thread got the lock before that end', () => {
    const refused = later(4, 20, { type: 'unlock.refused', holder: holderOf('A'), reason: 'not-owner' });
    const past = { severity: 'critical', from: seconds(10), holders: [holderOf('A'), holderOf('B')] };
    expect(verdict(21, LOST, TAKEN, refused)).toMatchObject([
      { ...past, confidence: 'certain', to: seconds(20), values: { isOver: true } },
    ]);
    expect(verdict(61, LOST, TAKEN)).toMatchObject([{ ...past, confidence: 'likely', to: seconds(60) }]);
    expect(verdict(911, LOST, TAKEN)).toEqual([]);
    expect(verdict(61, LOST, { ...TAKEN, at: seconds(60.5) })).toEqual([]);
  });

  test('is over once the holder that lost the lock attempts it again, even if it unlocks after that', () => {
    const refused = {
      type: 'lock.refused',
      holder: holderOf('A'),
      mode: 'exclusive',
      ttlMs: 1,
      attempt: 1,
      asleep: false,
    };
    const asked = later(4, 20, { ...refused, reason: 'held' } as const);
    const unlocked = later(5, 30, { type: 'unlock.refused', holder: holderOf('A'), reason: 'not-owner' });
    const past = {
      from: seconds(10),
      to: seconds(20),
      confidence: 'likely',
      values: { isOver: true, endsAt: seconds(20) },
    };
    for (const at of [21, 31, 61]) expect(verdict(at, LOST, TAKEN, asked, unlocked)).toMatchObject([past]);
    // The loss ended before any other thread got the lock, so it did no harm.
    expect(verdict(61, LOST, { ...asked, seq: 3 }, { ...TAKEN, seq: 4, at: seconds(40) })).toEqual([]);
  });

  test('if a reader lost its hold, another reader is not reported as the new holder', () => {
    const [lost, read] = [LOST, TAKEN].map((event) => ({ ...event, mode: 'read' }) as LockEvent);
    const write = { ...TAKEN, mode: 'write' } as LockEvent;
    if (!lost || !read) throw new Error('no events');
    expect(verdict(13, lost, read)).toMatchObject([{ severity: 'warning', values: { heldBy: null } }]);
    expect(verdict(61, lost, read)).toEqual([]);
    expect(verdict(61, lost, write)).toMatchObject([{ severity: 'critical', values: { heldBy: holderOf('B') } }]);
  });

  test('cannot know while the source is not watched', () => {
    const blind = later(3, 12, { type: 'blind-spot.began', lock: '', reason: 'connection-lost' });
    expect(verdict(13, LOST, blind)).toBe('cannot know: unwatched');
  });
});

/** A RedLock on three servers. `ONE_LOST`: one of them lost it. `RETAKEN`: another client acquired it there. */
const RED_LOCK = `
  0.000 1/pay A:62 acquired
  0.003 2/pay B:62 acquired
  0.006 3/pay C:62 acquired`;
const restarted = (server: number, client: string, at: number) => `
  ${at}.0 ${server}/- -:- unseen
  ${at}.4 ${server}/- -:- seen-again
  ${at}.5 ${server}/pay ${client}:62 lost`;
const ONE_LOST = `${RED_LOCK}${restarted(1, 'A', 2)}`;
const RETAKEN = '\n  3 1/pay D:62 acquired';
const redLock = (text: string, at: number) =>
  verdictAt('failover-lock-lost', withGroups(groupEvents(text)), seconds(at));

describe('failover-lock-lost, for a RedLock', () => {
  test('does not fire while most of its servers have the lock, even if another thread acquired it on one server', () => {
    expect(redLock(ONE_LOST, 2.9)).toEqual([]);
    expect(redLock(`${ONE_LOST}${RETAKEN}`, 4)).toEqual([]);
    expect(redLock(`${ONE_LOST}${RETAKEN}`, 700)).toEqual([]);
  });

  test('fires for each loss once the RedLock has no majority, even if the first loss is no longer in memory', () => {
    const two = `${ONE_LOST}${restarted(2, 'B', 4)}`;
    for (const at of [5, 700]) expect(redLock(two, at)).toMatchObject([{ source: '1' }, { source: '2' }]);
    const withFiveServers = `${RED_LOCK}\n 0.009 4/pay E:62 acquired\n 0.012 5/pay F:62 acquired`;
    const reacquired = (server: number, client: string) =>
      `\n 3 ${server}/pay ${client}:62 acquired\n 3.1 ${server}/pay ${client}:62 released`;
    const forgotten = `${restarted(1, 'A', 2)}${restarted(2, 'B', 2)}${reacquired(1, 'A')}${reacquired(2, 'B')}`;
    expect(redLock(`${withFiveServers}${forgotten}`, 4)).toEqual([]);
    expect(redLock(`${withFiveServers}${forgotten}${restarted(3, 'C', 5)}`, 6)).toMatchObject([{ source: '3' }]);
  });

  test('warns if a server that is not watched decides about the majority', () => {
    const unseen = '\n  4 2/- -:- unseen';
    const found = { severity: 'warning', confidence: 'likely', source: '1' };
    expect(redLock(`${ONE_LOST}${RETAKEN}${unseen}`, 5)).toMatchObject([found]);
    expect(redLock(`${ONE_LOST}${RETAKEN}${unseen}\n  5 2/- -:- seen-again`, 6)).toMatchObject([found]);
    expect(redLock(`${ONE_LOST}${RETAKEN}${unseen}\n  5 2/- -:- seen-again\n 5.1 2/pay B:62 found`, 6)).toEqual([]);
  });

  test('fires for a multi lock, which needs all of its locks, and for locks that do not belong together', () => {
    const multi = `
      0.000 1/a A:62 acquired 2000
      0.003 1/b A:62 acquired 2000
      0.006 1/c A:62 acquired 2000
      0.009 1/a -:- lease-set 4000
      0.010 1/b -:- lease-set 4000
      0.011 1/c -:- lease-set 4000
      2.000 1/- -:- unseen
      2.400 1/- -:- seen-again
      2.500 1/a A:62 lost
      2.600 1/b A:62 found
      2.700 1/c A:62 found`;
    expect(groupsReported(multi).slice(-3)).toEqual(['g1', '–', '–']);
    expect(redLock(multi, 4)).toMatchObject([{ lock: 'a' }]);
    const apart = ONE_LOST.replace('B:62', 'B:63')
      .replace('C:62', 'C:64')
      .replace('0.003', '0.9')
      .replace('0.006', '1.8');
    expect(redLock(`${apart}${RETAKEN}`, 4)).toMatchObject([{ severity: 'critical', source: '1' }]);
  });
});
