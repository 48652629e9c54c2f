import { describe, expect, test } from 'vitest';
import { millisBetween } from '../../shared/base/time.ts';
import { isOfSource, type LockEvent } from '../../shared/events/event.ts';
import { holdsFromEvents } from '../../shared/spans/holds-from-events.ts';
import { lockIdOf } from '../../shared/state/lock-state.ts';
import { acquired, released } from '../testing/make-events.ts';
import { makeMemoryObservatory, type NewEvent } from '../testing/memory-observatory.ts';
import { randomEvents } from '../testing/random-events.ts';
import { type HoldEnd, HoldTimes } from './hold-times.ts';

type Seen = readonly [lock: string, end: HoldEnd, heldMs: number];

/** What is reported about events that are one millisecond apart. */
function seenIn(...events: readonly NewEvent[]) {
  const ended: Seen[] = [];
  const left: (readonly [at: string, share: number])[] = [];
  const times = new HoldTimes({
    ended: (event, end, heldMs) => ended.push([event.lock, end, heldMs]),
    leaseLeft: (_event, at, share) => left.push([at, share]),
  });
  for (const event of makeMemoryObservatory().record(...events)) times.take(event);
  return { ended, left, times };
}

const renewed = (change: object = {}): NewEvent =>
  ({ type: 'lease.renewed', lock: 'a', holder: 'u:1', cause: 'watchdog', leaseMs: 10, ...change }) as NewEvent; // all other fields are optional
const short = (lock: string, holder: string): NewEvent => ({ ...acquired(lock, holder), leaseMs: 10 }) as NewEvent; // an acquisition
const expired: NewEvent = { type: 'lease.expired', lock: 'a', holder: 'u:1', mode: 'exclusive' };

describe('how long a hold lasted', () => {
  test('is its time from acquisition to release, through renewals and re-entries', () => {
    const again = { ...acquired('a', 'u:1'), type: 'lock.reentered', holdCount: 2 } as NewEvent;
    expect(seenIn(acquired('a', 'u:1'), again, renewed(), released('a', 'u:1')).ended).toEqual([['a', 'released', 3]]);
  });

  test.each<[string, HoldEnd, NewEvent]>([
    ['its lease expired', 'expired', expired],
    [
      'its lease expired, and the holder is unknown',
      'expired',
      { type: 'lease.expired', lock: 'a', mode: 'exclusive' },
    ],
    ['its lock was deleted', 'removed', { type: 'lock.deleted', lock: 'a', command: 'DEL' }],
    ['its lock was released by force', 'removed', { type: 'lock.force-released', lock: 'a' }],
    ['it was released unseen', 'unknown', { ...released('a', 'u:1'), how: 'unknown' } as NewEvent],
  ])('is reported if %s, with the end "%s"', (_, end, event) => {
    const { ended, times } = seenIn(acquired('a', 'u:1'), event);
    expect(ended).toEqual([['a', end, 1]]);
    expect(times.size).toBe(0);
  });

  test('is not reported if its beginning or its end was not seen', () => {
    const blind: NewEvent = { type: 'blind-spot.began', lock: '', reason: 'connection-lost' };
    const lost: NewEvent = { type: 'lock.lost', lock: 'a', holder: 'u:1', mode: 'exclusive', reason: 'failover' };
    expect(seenIn(released('a', 'u:1')).ended).toEqual([]);
    expect(seenIn(renewed(), released('a', 'u:1')).ended).toEqual([]);
    expect(seenIn(acquired('a', 'u:1'), blind, released('a', 'u:1')).ended).toEqual([]);
    expect(seenIn(acquired('a', 'u:1'), lost, released('a', 'u:1')).ended).toEqual([]);
  });

  test('is the length of the spans of the same events, for recorded traces at random instants', () => {
    const events = randomEvents(7, 60).filter(({ kind }) => kind !== 'semaphore');
    const ended: Seen[] = [];
    const times = new HoldTimes({
      ended: (event, end, heldMs) => ended.push([lockIdOf(event), end, heldMs]),
      leaseLeft: () => undefined,
    });
    for (const event of events) times.take(event);
    expect(sorted(ended)).toEqual(sorted(spansIn(events)));
    expect(new Set(ended.map(([, end]) => end)).size).toBeGreaterThan(1);
    expect(ended.length).toBeGreaterThan(100);
  });
});

/** The ended holds with a known beginning, as pages show them. */
function spansIn(events: readonly LockEvent[]): Seen[] {
  const locks = new Map(events.filter((event) => !isOfSource(event)).map((event) => [lockIdOf(event), event.source]));
  return [...locks].flatMap(([id, source]) => {
    const own = events.filter((event) => (isOfSource(event) ? event.source === source : lockIdOf(event) === id));
    return holdsFromEvents(own).flatMap(({ from, to, ended, isOpenStart }): Seen[] => {
      if (isOpenStart || to === null || ended === 'unseen' || ended === 'lost' || ended === 'moved') return [];
      const end = ended === 'freed' ? 'unknown' : ended === 'released' || ended === 'expired' ? ended : 'removed';
      return [[id, end, Math.max(0, millisBetween(from, to ?? from))]];
    });
  });
}

function sorted(all: readonly Seen[]): string[] {
  return all.map((each) => each.join(' ')).sort();
}

describe('the share of the lease that was left', () => {
  test('is measured at the release, and at each renewal by the watchdog', () => {
    const { left } = seenIn(short('a', 'u:1'), anotherEvent(), renewed(), released('a', 'u:1'));
    expect(left.map(([at, share]) => [at, Math.round(share * 100) / 100])).toEqual([
      ['renewal', 0.8],
      ['release', 0.9],
    ]);
  });

  test('is 0 if the lease had run out already, and is not reported without a known lease', () => {
    const others = Array.from({ length: 20 }, anotherEvent);
    expect(seenIn(short('a', 'u:1'), ...others, released('a', 'u:1')).left).toEqual([['release', 0]]);
    const endless = { ...acquired('a', 'u:1'), leaseMs: undefined, expiresAt: null } as unknown as NewEvent; // no lease
    expect(seenIn(endless, released('a', 'u:1')).left).toEqual([]);
    expect(seenIn(short('a', 'u:1'), expired).left).toEqual([]);
  });

  test('is reported as measured at the end, not at a release, if the release was not seen', () => {
    const end = { ...released('a', 'u:1'), how: 'unknown' } as NewEvent; // a release
    expect(seenIn(short('a', 'u:1'), end).left).toEqual([['end', 0.9]]);
  });

  test('is measured from the lease that a plain command set', () => {
    const command = renewed({ holder: undefined, cause: 'command', leaseMs: 4 });
    expect(seenIn(short('a', 'u:1'), command, released('a', 'u:1')).left).toEqual([['release', 0.75]]);
  });
});

/** Another event, so that a millisecond passes. */
function anotherEvent(): NewEvent {
  return { type: 'lock.deleted', lock: 'other' };
}

test('the holds of a lock or source are dropped together with it', () => {
  const { times } = seenIn(acquired('a', 'u:1'), acquired('b', 'u:1'), { ...acquired('c', 'u:1'), source: 'second' });
  expect(times.size).toBe(3);
  times.forgetLock('main', 'main/0/a');
  expect(times.size).toBe(2);
  times.forgetSource('second');
  expect(times.size).toBe(1);
});
