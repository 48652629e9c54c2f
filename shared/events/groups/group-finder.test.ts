import { expect, test } from 'vitest';
import { withGroups } from '../../testing/grouped-trace.ts';
import { seconds } from '../../testing/story.ts';
import type { LockEvent } from '../event.ts';

/**
 * Events told in lines: `time source/lock client:thread what [lease ms]`.
 *
 *   0.000  a  A:1 acquired
 *   0.002  2/pay  B:7 refused
 */
function events(text: string): LockEvent[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.map((line, index) => {
    const [time = '', where = '', who = '', what = '', lease = '30000'] = line.trim().split(/\s+/);
    const [source, lock] = where.includes('/') ? where.split('/') : ['redis', where];
    const [client = '', thread = ''] = who.split(':');
    const holder = `${client.toLowerCase().charCodeAt(0).toString(16).padStart(8, '0')}-0000-4000-8000-000000000000:${thread}`;
    const base = {
      seq: index + 1,
      at: seconds(Number(time)),
      source,
      db: 0,
      lock,
      kind: 'lock',
      certainty: 'observed',
    };
    return { ...base, ...detailOf(what, holder, Number(lease)) } as LockEvent; // every field of its type is there
  });
}

function detailOf(what: string, holder: string, leaseMs: number): object {
  switch (what) {
    case 'acquired':
      return { type: 'lock.acquired', holder, mode: 'exclusive', holdCount: 1, leaseMs };
    case 'refused':
      return {
        type: 'lock.refused',
        holder,
        mode: 'exclusive',
        ttlMs: 1000,
        attempt: 1,
        asleep: false,
        reason: 'held',
      };
    case 'sleeps':
      return { type: 'lock.refused', holder, mode: 'exclusive', ttlMs: 1000, attempt: 2, asleep: true, reason: 'held' };
    case 'gives-up':
      return { type: 'waiter.dequeued', holder, reason: 'gave-up' };
    case 'released':
      return { type: 'lock.released', holder, mode: 'exclusive', holdCount: 0 };
    case 'unlock-refused':
      return { type: 'unlock.refused', holder, reason: 'not-owner' };
    case 'expired':
      return { type: 'lease.expired', holder, mode: 'exclusive' };
    case 'lease-set':
      return { type: 'lease.renewed', cause: 'command', leaseMs };
    case 'unseen':
      return { type: 'blind-spot.began', reason: 'connection lost', lock: '' };
    default:
      throw new Error(`no such thing: ${what}`);
  }
}

/** The group of each event, and what else it is to it. */
function told(text: string): string[] {
  return withGroups(events(text)).map(({ group, groupStep, groupEnd, groupRound }) =>
    [group ?? '–', groupStep, groupEnd, groupRound && `round ${groupRound}`].filter(Boolean).join(' '),
  );
}

test('[G1] locks that one thread gets within milliseconds and lets go together are one group', () => {
  const text = `
    0.000 a A:1 acquired
    0.002 b A:1 acquired
    0.004 c A:1 acquired
    9.000 a A:1 released
    9.001 b A:1 released
    9.002 c A:1 released
  `;
  expect(told(text)).toEqual(['g1', 'g1', 'g1', 'g1', 'g1', 'g1 released']);
});

test('[G1] the event of the second lock names those before it', () => {
  const [first, second] = events('0.000 a A:1 acquired\n0.002 b A:1 acquired');
  const found = withGroups([first, second] as LockEvent[]);
  expect(found.map(({ group, groupSeqs }) => [group, groupSeqs])).toEqual([
    ['g1', undefined],
    ['g1', [1]],
  ]);
});

test('[G2] a lock taken half a second later is another matter, and so is one with another lease', () => {
  expect(told('0.000 a A:1 acquired\n0.500 b A:1 acquired\n1.000 b A:1 released\n1.001 a A:1 released')).toEqual(
    ['–', '–', '–', '–'], // prettier
  );
  expect(told('0.000 a A:1 acquired\n0.002 b A:1 acquired 5000')).toEqual(['–', '–']);
  expect(told('0.000 a A:1 acquired\n0.002 b A:2 acquired')).toEqual(['–', '–']);
});

test('[G1] leases that were read a moment later are the same', () => {
  const [first, second] = events('0.000 a A:1 acquired 30000\n0.002 b A:1 acquired 29998') as [LockEvent, LockEvent];
  const read = [first, { ...second, certainty: 'inferred' as const }];
  expect(withGroups(read).map(({ group }) => group)).toEqual(['g1', 'g1']);
  expect(withGroups([first, second]).map(({ group }) => group)).toEqual([undefined, undefined]);
});

test('[G2] threads that lock each other out are no group, nor is who gives up and lets go then', () => {
  const text = `
    0.000 a A:1 acquired
    0.001 b B:1 acquired
    0.012 b A:1 refused
    0.013 a B:1 refused
    0.015 b A:1 sleeps
    0.016 a B:1 sleeps
    2.500 b A:1 gives-up
    2.505 a A:1 released
    2.507 a B:1 acquired
  `;
  expect(new Set(told(text))).toEqual(new Set(['–']));
});

test('[G2] a lock that stays when the other is let go takes the group back', () => {
  const text = `
    0.000 a A:1 acquired
    0.002 b A:1 acquired
    1.000 b A:1 released
    3.000 a A:1 released
  `;
  expect(told(text)).toEqual(['–', '–', '–', '–']);
});

test('[G3] a member that is not to be had lets the others go again: rolled back', () => {
  const text = `
    0.000 d B:1 acquired
    0.002 c B:1 refused
    0.004 d B:1 released
  `;
  expect(told(text)).toEqual(['g1', 'g1', 'g1 roll-back rolled-back']);
  const slow = text.replace('0.002', '0.009').replace('0.004', '0.016');
  expect(told(slow)).toEqual(['g1', 'g1', 'g1 roll-back rolled-back']);
});

test('[G3] it may begin anew, and gets them all in the second round', () => {
  const text = `
    0.000 a B:1 acquired
    0.002 b B:1 refused
    0.004 b B:1 sleeps
    3.000 b B:1 gives-up
    3.002 a B:1 released
    3.004 a B:1 acquired
    3.006 b B:1 acquired
    4.000 a B:1 released
    4.001 b B:1 released
  `;
  expect(told(text)).toEqual([
    ...['g1', 'g1', 'g1', 'g1', 'g1 roll-back rolled-back'],
    ...['g1 round 2', 'g1 round 2', 'g1 round 2', 'g1 released round 2'],
  ]);
});

test('[G3] on a slow machine only the second round shows that two locks are one', () => {
  const text = `
    0.000 a B:1 acquired
    0.012 b B:1 refused
    0.020 b B:1 sleeps
    3.000 b B:1 gives-up
    3.005 a B:1 released
    3.009 a B:1 acquired
    3.020 b B:1 refused
  `;
  expect(told(text)).toEqual(['g1', 'g1', 'g1', 'g1', 'g1', 'g1 round 2', 'g1 round 2']);
});

test('[G4] the lease that plain commands set at the end is part of it', () => {
  const text = `
    0.000 a A:1 acquired 2000
    0.002 b A:1 acquired 2000
    0.004 a -:- lease-set 3000
    0.006 b -:- lease-set 3000
    5.000 b -:- lease-set 9000
  `;
  expect(told(text)).toEqual(['g1', 'g1', 'g1 fix-up', 'g1 fix-up', '–']);
});

test('[G5] one name on several servers, by the clients of one thread: a RedLock', () => {
  const text = `
    0.000 1/pay A:62 acquired
    0.003 2/pay B:62 acquired
    0.006 3/pay C:62 acquired
    0.500 1/pay A:62 released
    0.503 2/pay B:62 released
    0.506 3/pay C:62 released
  `;
  expect(told(text)).toEqual(['g1', 'g1', 'g1', 'g1', 'g1', 'g1 released']);
});

test('[G5] more than half is enough; the unlock of a member never had is no accident', () => {
  const text = `
    0.000 1/pay A:62 acquired
    0.003 2/pay B:62 refused
    0.006 3/pay C:62 acquired
    0.500 1/pay A:62 released
    0.503 2/pay B:62 unlock-refused
    0.506 3/pay C:62 released
  `;
  expect(told(text)).toEqual(['g1', 'g1', 'g1', 'g1', 'g1 never-held', 'g1 released']);
});

test('[G5] less than half is given back', () => {
  const text = `
    0.000 1/pay A:62 refused
    0.003 2/pay B:62 acquired
    0.006 3/pay C:62 refused
    0.009 2/pay B:62 released
  `;
  expect(told(text)).toEqual(['g1', 'g1', 'g1', 'g1 roll-back rolled-back']);
});

test('[G5] a member that was never asked is unlocked all the same', () => {
  const text = `
    0.000 1/pay A:62 acquired
    0.003 2/pay B:62 acquired
    0.500 1/pay A:62 released
    0.503 2/pay B:62 released
    0.506 3/pay C:62 unlock-refused
  `;
  expect(told(text)).toEqual(['g1', 'g1', 'g1', 'g1 released', 'g1 never-held']);
});

test('[G6] a server that is down keeps the client busy: the next one may be asked seconds later', () => {
  const text = `
    0.000 2/- -:- unseen
    1.000 1/pay A:62 acquired
    4.000 3/pay C:62 acquired
    5.000 1/pay A:62 released
    5.003 3/pay C:62 released
  `;
  expect(told(text)).toEqual(['–', 'g2', 'g2', 'g2', 'g2 released']);
});

test('[G6] what becomes of a server nobody watches is not known; the others go on', () => {
  const text = `
    0.000 1/pay A:62 acquired
    0.003 2/pay B:62 acquired
    0.006 3/pay C:62 acquired
    0.100 2/- -:- unseen
    0.500 1/pay A:62 released
    0.506 3/pay C:62 released
  `;
  expect(told(text)).toEqual(['g1', 'g1', 'g1', '–', 'g1', 'g1 released']);
});

test('[G5] applications with the same thread number are kept apart, by who went together before', () => {
  const text = `
    0.000 1/pay A:62 acquired
    0.003 2/pay B:62 acquired
    0.100 1/pay A:62 released
    0.103 2/pay B:62 released
    1.000 1/pay C:62 acquired
    1.003 2/pay D:62 acquired
    1.100 1/pay C:62 released
    1.103 2/pay D:62 released
    2.000 1/pay A:62 acquired
    2.001 1/pay C:62 refused
    2.002 2/pay D:62 refused
    2.003 2/pay B:62 acquired
  `;
  expect(told(text).slice(-4)).toEqual(['g9', 'ga', 'ga', 'g9']);
});

test('[G5] events of another server may come late, when all is over', () => {
  const text = `
    0.000 1/pay A:62 acquired
    0.020 1/pay A:62 released
    0.003 2/pay B:62 acquired
    0.021 2/pay B:62 released
  `;
  expect(told(text)).toEqual(['g1', 'g1', 'g1', 'g1 released']);
});

test('[G1] a group whose last lock runs out is lost', () => {
  const text = `
    0.000 a A:1 acquired 800
    0.002 b A:1 acquired 800
    0.800 a A:1 expired
    0.802 b A:1 expired
  `;
  expect(told(text)).toEqual(['g1', 'g1', 'g1', 'g1 lost']);
});

test('[G2] twenty thousand locks of one thread, one after the other, are none', () => {
  const lines = Array.from({ length: 20_000 }, (_, n) => `${n / 10} lock-${n} A:1 acquired`).join('\n');
  expect(withGroups(events(lines)).some(({ group }) => group !== undefined)).toBe(false);
});
