import { expect, test } from 'vitest';
import { holderOf, seconds } from '../../../testing/stories/story.ts';
import { makeEvent } from '../../testing/make.ts';
import { CRASH, laneOf, scaleOf, TWO_THREADS, trackOf } from '../../testing/stories.ts';
import { EN } from '../../words/en.ts';
import { layoutLane } from '../layout/layout-lane.ts';
import { causeOf, effectOf, eventsOfMark, markById, markOfEvent } from './causes.ts';
import type { Mark, Track } from './marks.ts';
import { countedWord, sentenceOf } from './sentence.ts';
import { trackFromEvents } from './track-from-events.ts';
import { causeChain, turningPoint } from './turning-point.ts';

const nameOf = (_lock: string, holder: string) => (holder === holderOf('A') ? 'A' : 'B');
const say = (track: Track, mark: Mark | undefined) =>
  mark ? sentenceOf(track, mark, seconds(20), nameOf, EN) : 'nothing';

test('a wait has the hold that blocked it as cause, and the hold it ended in as effect', () => {
  const track = trackOf(TWO_THREADS);
  const wait = laneOf(track, 'B').spans[0] as Mark;
  expect(say(track, wait)).toBe('B waited 4.51 s for orders:42, blocked by A, ended by message.');
  expect(say(track, causeOf(track, wait))).toBe('A held orders:42 for 7 s, renewed 2 times, then released it.');
  expect(say(track, effectOf(track, wait))).toBe('B held orders:42 for 1.99 s, then released it.');
});

test('the length of a wait or a hold is "at least" where its beginning was not seen', () => {
  const { id, events } = trackOf(TWO_THREADS);
  const refusedBefore = events.map((event) => (event.type === 'lock.refused' ? { ...event, isOlder: true } : event));
  const track = trackFromEvents(id, refusedBefore as typeof events);
  const wait = laneOf(track, 'B').spans[0] as Mark;
  expect(say(track, wait)).toBe('B waited at least 4.51 s for orders:42, blocked by A, ended by message.');
  const later = trackFromEvents(id, events.slice(events.findIndex(({ type }) => type === 'lease.renewed')));
  expect(say(later, laneOf(later, 'A').spans[0])).toMatch(/^A held orders:42 for at least \d/);
  const [item] = layoutLane(laneOf(track, 'B'), { scale: scaleOf(0, 10), now: seconds(20), goneSince: new Map() });
  expect(item).toMatchObject({ kind: 'wait', hasStart: false });
});

test('the effect of a release is the hold of the waiter that it woke', () => {
  const track = trackOf(TWO_THREADS);
  const release = laneOf(track, 'A').points.at(-1) as Mark;
  const woken = effectOf(track, release);
  expect(woken).toMatchObject({ kind: 'hold', holder: holderOf('B') });
  expect(causeOf(track, woken as Mark)).toBe(release);
});

test('the effect of an expiry is the hold of the waiter that its own timer woke', () => {
  const track = trackOf(CRASH);
  const expiry = laneOf(track, 'A').points.find(({ point }) => point === 'expired') as Mark;
  expect(say(track, expiry)).toBe('A lost orders:42: its lease ran out.');
  expect(effectOf(track, expiry)).toMatchObject({ kind: 'hold', holder: holderOf('B') });
});

test('a wait that gave up has no effect, and waits and holds that end in the same event are not effects of each other', () => {
  const track = trackOf(`
    orders:42 lease 60s
    0.000  A attempts acquired
    1.000  B attempts refused
    1.010  B subscribes
    1.020  B attempts refused
    3.000  B unsubscribes
    4.000  C attempts refused
    4.010  C subscribes
    4.020  C attempts refused
    5.000  D attempts refused
    5.010  D subscribes
    5.020  D attempts refused
    6.000  . loses sight
  `);
  const waits = ['B', 'C', 'D'].map((actor) => laneOf(track, actor).spans[0] as Mark);
  expect(waits).toMatchObject([
    { kind: 'wait', ended: 'gave-up' },
    { kind: 'wait', ended: 'unseen' },
    { kind: 'wait', ended: 'unseen' },
  ]);
  for (const wait of waits) expect(effectOf(track, wait)).toBeUndefined();
  // the hold of A ends in the same event as the waits of C and D
  expect(laneOf(track, 'A').spans).toMatchObject([{ kind: 'hold', ended: 'unseen' }]);
  expect(effectOf(track, laneOf(track, 'A').spans[0] as Mark)).toBeUndefined();
});

test('the effect of each of several holds that one event ended is the point on its own lane', () => {
  const of = { kind: 'read-write-lock', mode: 'read', holdCount: 1, type: 'lock.acquired' };
  const track = trackFromEvents('s/0/orders:42', [
    makeEvent(1, { ...of, holder: 'u:1' }),
    makeEvent(2, { ...of, holder: 'u:2' }),
    makeEvent(3, { kind: of.kind, type: 'lock.deleted', holder: undefined, holders: ['u:1', 'u:2'] }),
  ]);
  const effects = track.lanes.map(({ spans }) => effectOf(track, spans[0] as Mark));
  expect(effects).toMatchObject([
    { point: 'taken-away', holder: 'u:1' },
    { point: 'taken-away', holder: 'u:2' },
  ]);
});

test('a link finds its mark by the id of the mark or of an event', () => {
  const track = trackOf(TWO_THREADS);
  const hold = laneOf(track, 'A').spans[0] as Mark;
  expect(markById(track, hold.id)).toBe(hold);
  expect(markById(track, `e${hold.seq}`)).toBe(hold);
  expect(markById(track, 'e999')).toBeUndefined();
});

test('the mark of a subscription is the wait it is part of, and the mark of a wake-up message is its release', () => {
  const track = trackOf(TWO_THREADS);
  const subscribed = track.events.find(({ type }) => type === 'waiter.subscribed');
  expect(subscribed && markOfEvent(track, subscribed.seq)).toBe(laneOf(track, 'B').spans[0]);
  const published = track.events.find(({ type }) => type === 'wakeup.published');
  expect(published && markOfEvent(track, published.seq)).toBe(laneOf(track, 'A').points.at(-1));
});

test('a hold has the events of its holder from acquisition to release', () => {
  const track = trackOf(TWO_THREADS);
  const hold = laneOf(track, 'A').spans[0] as Mark;
  expect(eventsOfMark(track, hold).map(({ type }) => type)).toEqual([
    'lock.acquired',
    'lease.renewed',
    'lease.renewed',
    'lock.released',
  ]);
});

test('one mark has its own word, several marks drawn as one have a text with their number', () => {
  const renewal = laneOf(trackOf(TWO_THREADS), 'A').points[0] as Mark;
  expect([countedWord(renewal, 1, EN.marks), countedWord(renewal, 7, EN.marks)]).toEqual(['renewed', '7 renewals']);
});

test('a state is explained by the newest turning point and its causes', () => {
  const { events } = trackOf(TWO_THREADS);
  const turn = turningPoint(events, seconds(8));
  expect(turn && causeChain(events, turn).map(({ type }) => type)).toEqual([
    'lock.acquired',
    'wakeup.published',
    'lock.released',
    'lock.acquired',
  ]);
});
