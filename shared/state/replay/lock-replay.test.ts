import { expect, test } from 'vitest';
import { lockAt } from '../../../testing/stories/lock-at.ts';
import { holderOf, seconds, story } from '../../../testing/stories/story.ts';
import { redisTime } from '../../base/time.ts';
import type { LockEvent } from '../../events/event.ts';
import { idOf } from '../lock-state.ts';
import { LockReplay } from './lock-replay.ts';

const A_THEN_B = story(`
  orders:42 lease 6s
  0.000  A attempts acquired
  2.000  B attempts refused
  2.010  B subscribes
  2.020  B attempts refused
  7.000  A releases
  7.010  B attempts acquired
  9.000  B releases
`);

/** 1,400 events: several checkpoints. */
const LONG = story(
  [
    'orders:42 lease 6s',
    ...Array.from({ length: 700 }, (_, i) => `${i}.0 A attempts acquired\n${i}.5 A releases`),
  ].join('\n'),
);

const ID = idOf({ ...lockAt(A_THEN_B, seconds(10)) });
/** The `seq` of the last event before the first one that is later than an instant. */
const lastUntil = (events: readonly LockEvent[], at: number) =>
  (events.find((event) => event.at > at)?.seq ?? Number.MAX_SAFE_INTEGER) - 1;
const at = (replay: LockReplay, events: readonly LockEvent[], when: number) =>
  replay.at(seconds(when), lastUntil(events, seconds(when)));

test('the state at an instant is the reduction of all events up to it', () => {
  const replay = new LockReplay(ID, { base: undefined, events: A_THEN_B });
  const holders = (when: number) => at(replay, A_THEN_B, when)?.holders.map(({ id }) => id);
  expect([holders(-1), holders(1), holders(8), holders(10)]).toEqual([undefined, [holderOf('A')], [holderOf('B')], []]);
  expect(at(replay, A_THEN_B, 5)?.waiters.map(({ id }) => id)).toEqual([holderOf('B')]);
});

test('events are applied to the state at the beginning of the range', () => {
  const replay = new LockReplay(ID, { base: lockAt(A_THEN_B, seconds(1)), events: A_THEN_B.slice(1) }, 1);
  expect(at(replay, A_THEN_B, 1)?.holders.map(({ id }) => id)).toEqual([holderOf('A')]);
  expect(at(replay, A_THEN_B, 9.1)?.holders).toEqual([]);
});

test('checkpoints give the same state as replaying everything, for requests in ascending and descending order', () => {
  const forwards = new LockReplay(ID, { base: undefined, events: LONG });
  const backwards = new LockReplay(ID, { base: undefined, events: LONG });
  const times = [10.2, 400.2, 699.2, 699.7];
  const inOrder = times.map((when) => at(forwards, LONG, when));
  const inReverse = times.toReversed().map((when) => at(backwards, LONG, when));
  expect(inOrder).toEqual(times.map((when) => lockAt(LONG, seconds(when))));
  expect(inReverse.toReversed()).toEqual(inOrder);
});

test('events that are added later are included, even after earlier requests', () => {
  const events: LockEvent[] = LONG.slice(0, 1201);
  const replay = new LockReplay(ID, { base: undefined, events });
  at(replay, events, 700);
  events.push(...LONG.slice(1201));
  expect(at(replay, events, 699.2)).toEqual(lockAt(LONG, seconds(699.2)));
  expect(at(replay, events, 300.2)).toEqual(lockAt(LONG, seconds(300.2)));
});

test('at 4.5 s, an expiry at 4 s counts although it was reported after an attempt at 5 s, which does not count yet', () => {
  const [acquired, refused] = story(`
    orders:42 lease 6s
    0.000  A attempts acquired
    5.000  B attempts refused
  `) as [LockEvent, LockEvent];
  const expired = { ...acquired, type: 'lease.expired', seq: 3, at: seconds(4), certainty: 'inferred' } as LockEvent;
  const events = [acquired, refused, expired];
  const lock = at(new LockReplay(ID, { base: undefined, events }), events, 4.5);
  expect(lock).toMatchObject({ holders: [], waiters: [] });
  expect(at(new LockReplay(ID, { base: undefined, events }), events, 5.1)?.waiters).toHaveLength(1);
});

test('a lock that was forgotten is unknown until its next event', () => {
  const mark = { afterSeq: 1, at: redisTime(seconds(1.5)) };
  const replay = new LockReplay(ID, { base: undefined, events: A_THEN_B }, 0, [mark]);
  expect(at(replay, A_THEN_B, 1.2)?.holders).toHaveLength(1);
  expect(at(replay, A_THEN_B, 1.8)).toBeUndefined();
  expect(at(replay, A_THEN_B, 3)?.holders).toEqual([]);
});
