import { expect, test } from 'vitest';
import { plusMillis, redisTime } from '../../../shared/base/time.ts';
import type { LockEvent } from '../../../shared/events/event.ts';
import { isClientGone, orphanedFrom } from '../../../shared/insights/renewals.ts';
import type { LockState } from '../../../shared/state/lock-state.ts';
import { reduceLock } from '../../../shared/state/reduce.ts';
import { holderOf, seconds, story } from '../../../testing/stories/story.ts';
import { makeEvent } from '../../testing/make.ts';
import { CRASH, holdsOf, laneOf, TWO_THREADS, trackOf } from '../../testing/stories.ts';
import { shareLeft } from './lease-pieces.ts';
import { trackFromEvents } from './track-from-events.ts';

test('every thread gets a lane, in order of appearance', () => {
  expect(trackOf(TWO_THREADS).lanes.map(({ holder }) => holder)).toEqual([holderOf('A'), holderOf('B')]);
});

test('a lane has holds, waits and points in order of time', () => {
  const track = trackOf(TWO_THREADS);
  const a = laneOf(track, 'A');
  const b = laneOf(track, 'B');
  expect(a.spans.map(({ kind, ended }) => `${kind} ${ended}`)).toEqual(['hold released']);
  expect(b.spans.map(({ kind, ended }) => `${kind} ${ended}`)).toEqual(['wait message', 'hold released']);
  expect(a.points.map(({ point }) => point)).toEqual(['renewed', 'renewed', 'released']);
  expect(b.points.map(({ point }) => point)).toEqual(['refused', 'refused', 'released']);
  expect(b.spans[0]).toMatchObject({ attempts: 2, asleepFrom: expect.any(Number) });
});

test('a lease ends at a known time, at an unknown time, or never', () => {
  const of = { at: 1, lock: 'orders:42', holder: 'u:1' };
  const leaseOf = (part: Record<string, unknown>) =>
    trackFromEvents('s/0/orders:42', [makeEvent(1, { ...of, ...part })]).lease.map(({ expiresAt, isEndKnown }) => ({
      expiresAt,
      isEndKnown,
    }));
  const found = { type: 'lock.found', holders: [{ holder: 'u:1', holdCount: 1, mode: 'exclusive' }] };
  expect(leaseOf({ ...found, expiresAt: 9_000_000 })).toEqual([{ expiresAt: 9_000_000, isEndKnown: true }]);
  expect(leaseOf({ ...found, expiresAt: null })).toEqual([{ expiresAt: null, isEndKnown: true }]);
  expect(leaseOf(found)).toEqual([{ expiresAt: null, isEndKnown: false }]);
});

test('a wake-up by message points from the thread that released to the thread that it woke', () => {
  const [arrow] = trackOf(TWO_THREADS).arrows;
  expect(arrow).toMatchObject({ by: 'message', fromHolder: holderOf('A'), toHolder: holderOf('B') });
  expect(trackOf(CRASH).arrows.map(({ by }) => by)).toEqual(['own-timer']);
});

test('a hold keeps each change of its hold count', () => {
  const track = trackOf(`
    orders:42 lease 6s
    0.0  A attempts acquired
    1.0  A attempts reentered
    2.0  A releases partly
    3.0  A releases
  `);
  const [hold] = holdsOf(laneOf(track, 'A'));
  expect(hold?.levels.map(({ count }) => count)).toEqual([1, 2, 1]);
  expect(laneOf(track, 'A').points.map(({ point, count }) => `${point} ${count}`)).toEqual([
    'reentered 2',
    'partly-released 1',
    'released 0',
  ]);
});

test('the remaining lease falls, rises at each renewal and ends with the hold', () => {
  const { lease, leaseMs } = trackOf(TWO_THREADS);
  expect(lease.map(({ endedBy }) => endedBy)).toEqual(['renewed', 'renewed', 'freed', 'freed']);
  const first = lease[0];
  if (!first) throw new Error('no lease');
  expect(shareLeft(first, seconds(0), leaseMs)).toBeCloseTo(1, 3);
  expect(shareLeft(first, seconds(1.5), leaseMs)).toBeCloseTo(0.75, 3);
  expect(shareLeft(first, seconds(60), leaseMs)).toBe(0);
});

test('a blind spot ends lease and hold as unseen', () => {
  const track = trackOf(`
    orders:42 lease 6s
    0.0  A attempts acquired
    1.0  X loses sight
    2.0  X sees again
  `);
  expect(track.lease[0]?.endedBy).toBe('unseen');
  expect(holdsOf(laneOf(track, 'A'))[0]?.ended).toBe('unseen');
});

test('a hold has the lease that its holder set last, also if it is shorter', () => {
  const lease = (seq: number, ms: number, detail: object) => {
    const at = seconds(seq);
    return makeEvent(seq, { at, leaseMs: ms, expiresAt: plusMillis(at, ms), mode: 'exclusive', ...detail });
  };
  const { lanes } = trackFromEvents('s/0/orders:42', [
    lease(1, 30_000, { type: 'lock.acquired', holdCount: 1 }),
    lease(5, 6000, { type: 'lease.shortened', cause: 'holder' }),
  ]);
  expect(lanes[0]?.spans).toMatchObject([{ leaseSetAt: seconds(5), leaseMs: 6000 }]);
});

test('a hold that expired is orphaned from when its renewal was due', () => {
  const [hold] = holdsOf(laneOf(trackOf(CRASH), 'A'));
  if (!hold) throw new Error('no hold');
  expect(hold.ended).toBe('expired');
  const from = orphanedFrom(hold, seconds(10), new Map());
  expect(((from ?? 0) - seconds(0)) / 1e6).toBeCloseTo(4, 2);
  expect(isClientGone(hold, seconds(10), new Map())).toBe(false);
});

test('a hold is orphaned from when its client is gone, unless it was released in time', () => {
  const [hold] = holdsOf(laneOf(trackOf(CRASH), 'A'));
  const [released] = holdsOf(laneOf(trackOf(TWO_THREADS), 'A'));
  if (!hold || !released) throw new Error('no hold');
  const gone = new Map([[holderOf('A').split(':')[0] ?? '', seconds(3)]]);
  expect(orphanedFrom(hold, seconds(10), gone)).toBe(seconds(3));
  expect(isClientGone(hold, seconds(10), gone)).toBe(true);
  expect(orphanedFrom(released, seconds(10), gone)).toBeNull();
});

test('a hold is orphaned from its beginning if its client sent nothing after the script that acquired it', () => {
  const [hold] = holdsOf(laneOf(trackOf('orders:42 lease 600s\n0.000 A attempts acquired'), 'A'));
  if (!hold) throw new Error('no hold');
  const client = holderOf('A').split(':')[0] ?? '';
  // the head of a script is a few microseconds earlier than what it did
  const justBefore = new Map([[client, redisTime(hold.from - 12)]]);
  expect(orphanedFrom(hold, seconds(10), justBefore)).toBe(hold.from);
  expect(isClientGone(hold, seconds(10), justBefore)).toBe(true);
  // the client connected again before it acquired the lock
  const longBefore = new Map([[client, redisTime(hold.from - 5_000_000)]]);
  expect(orphanedFrom(hold, seconds(10), longBefore)).toBeNull();
});

test('an explicit lease that still runs is not orphaned', () => {
  const track = trackOf(`
    orders:42 lease 6s
    0.0  A attempts acquired
  `);
  const [hold] = holdsOf(laneOf(track, 'A'));
  if (!hold) throw new Error('no hold');
  expect(orphanedFrom(hold, seconds(5), new Map())).toBeNull();
});

test('a hold is orphaned if its watchdog renewed it before and is overdue', () => {
  const track = trackOf(`
    orders:42 lease 6s
    0.0  A attempts acquired
    2.0  A renews
  `);
  const [hold] = holdsOf(laneOf(track, 'A'));
  if (!hold) throw new Error('no hold');
  expect(orphanedFrom(hold, seconds(4.5), new Map())).toBeNull();
  expect(orphanedFrom(hold, seconds(5.5), new Map())).not.toBeNull();
});

test('the renewals of a token lock have no known interval, so its hold is not overdue', () => {
  const of = { lock: 'lock:leader', kind: 'token-lock', holder: 't', mode: 'exclusive', leaseMs: 6000 };
  const track = trackFromEvents('s/0/lock:leader', [
    makeEvent(1, { ...of, type: 'lock.acquired', at: seconds(0), expiresAt: seconds(6) }),
    makeEvent(2, { ...of, cause: 'command', at: seconds(2), expiresAt: seconds(8) }),
  ]);
  const hold = track.lanes.flatMap(({ spans }) => spans).find(({ kind }) => kind === 'hold');
  if (hold?.kind !== 'hold') throw new Error('no hold');
  expect(hold.renewals).toBe(1);
  expect(orphanedFrom(hold, seconds(7.9), new Map())).toBeNull();
});

const stateAfter = (events: readonly LockEvent[]) =>
  events.reduce<LockState | undefined>((lock, event) => reduceLock(lock, event), undefined);

test('spans that reach into a view have the same marks as if all events were loaded, except for sleeps', () => {
  for (const text of [TWO_THREADS, CRASH]) {
    const events = story(text);
    const whole = trackFromEvents('story/0/orders:42', events);
    for (let cut = 1; cut < events.length; cut++) {
      const at = events[cut]?.at ?? seconds(0);
      const part = trackFromEvents('story/0/orders:42', events.slice(cut), stateAfter(events.slice(0, cut)));
      const marks = (track: typeof whole) =>
        track.lanes
          .flatMap(({ spans }) => spans)
          .filter(({ to }) => to === null || to > at)
          .map((mark) => ({ ...mark, asleepFrom: null })) // a state does not contain when a waiter fell asleep
          .sort((a, b) => a.seq - b.seq);
      expect(marks(part)).toEqual(marks(whole));
      const pieces = whole.lease.filter(({ to }) => to === null || to > at);
      expect(part.lease.slice(part.lease.length - pieces.length).map(({ to, expiresAt }) => [to, expiresAt])).toEqual(
        pieces.map(({ to, expiresAt }) => [to, expiresAt]),
      );
    }
  }
});

test('a hold without events in the view keeps its beginning, its renewals and its lease', () => {
  const events = story(`
    orders:42 lease 6s
    0.0  A attempts acquired
    2.0  A renews
    4.0  A renews
  `);
  const track = trackFromEvents('story/0/orders:42', [], stateAfter(events));
  const [hold] = holdsOf(laneOf(track, 'A'));
  expect(hold).toMatchObject({ id: 'h1', from: events[0]?.at, to: null, renewals: 2, isOpenStart: false });
  expect(track.name).toBe('orders:42');
  expect(track.lease).toHaveLength(1);
  expect(track.lease[0]?.from).toBe(events[2]?.at);
});
