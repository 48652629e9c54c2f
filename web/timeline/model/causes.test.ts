import { expect, test } from 'vitest';
import { holderOf, seconds } from '../../../testing/stories/story.ts';
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
