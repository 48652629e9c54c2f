import { expect, test } from 'vitest';
import { redisTime } from '../../shared/base/time.ts';
import { goldenTrack } from '../testing/golden-track.ts';
import { makeEvent } from '../testing/make.ts';
import { EN } from '../words/en.ts';
import { firstThatReaches } from './layout/layout-lane.ts';
import { marksInView } from './layout/mark-rows.ts';
import { marksOf } from './model/causes.ts';
import type { HoldMark, Mark, Track, WaitMark } from './model/marks.ts';
import { sentenceOf } from './model/sentence.ts';
import { trackFromEvents } from './model/track-from-events.ts';

const NEWEST = 'redisson-4.7.0';

const holdsIn = (track: Track) => marksOf(track).filter((mark): mark is HoldMark => mark.kind === 'hold');
const waitsIn = (track: Track) => marksOf(track).filter((mark): mark is WaitMark => mark.kind === 'wait');
const sentence = (track: Track, mark: Mark) =>
  sentenceOf(track, mark, mark.kind === 'point' ? mark.at : mark.from, (_, holder) => holder, EN);

test('[M1] a semaphore shows the permits in use and its limit', () => {
  const track = goldenTrack(NEWEST, 'semaphore', 'gate');
  expect(track.counter.map(({ count, limit }) => `${count}/${limit}`)).toEqual([
    '0/3',
    '2/3',
    '0/3',
    '2/3',
    '0/3',
    '3/3',
  ]);
  expect(track.counterTop).toBe(3);
});

test('[M2] [M5] a semaphore has counted holds for each connection, and a wait for each subscriber', () => {
  const track = goldenTrack(NEWEST, 'semaphore', 'gate');
  expect(track.lanes.map(({ holder }) => holder)).toEqual(['app1', 'app2']);
  expect(holdsIn(track).map(({ holder, deepest, ended }) => [holder, deepest, ended])).toEqual([
    ['app1', 2, 'released'],
    ['app1', 3, null],
    ['app2', 2, 'released'],
  ]);
  const [wait, ...others] = waitsIn(track);
  expect(others).toEqual([]);
  expect(wait).toMatchObject({ holder: 'app2', mode: 'permit', ended: 'message', asleepFrom: expect.any(Number) });
  expect(track.arrows).toMatchObject([{ fromHolder: 'app1', toHolder: 'app2', by: 'message' }]);
  const sentences = marksOf(track).map((mark) => sentence(track, mark));
  expect(sentences).toContainEqual(
    expect.stringMatching(/^app1 held up to 2 permits of gate for 348 ms, then released/),
  );
  expect(sentences).toContain('app1 released 2 permits of gate.');
  expect(sentences).toContain('app2 asked for 2 permits of gate: too few were free.');
});

test('[E1] [E2] permits with ids are on the lane of their holder, each in a slot with its deadline', () => {
  const track = goldenTrack(NEWEST, 'expirable-semaphore', 'slots');
  expect(track.lanes.map(({ holder }) => holder)).toEqual(['app1', 'app2']);
  const permits = holdsIn(track).map(({ holder, ended, permit }) => [holder, permit?.slot, permit?.slots, ended]);
  expect(permits).toEqual([
    ['app1', 0, 2, 'expired'],
    ['app1', 1, 2, 'released'],
    ['app2', 0, 1, 'released'],
  ]);
  expect(holdsIn(track)[0]?.permit?.until).toBeGreaterThan(holdsIn(track)[0]?.from ?? 0);
  const app1 = track.lanes[0]?.points.map(({ point }) => point);
  expect(app1).toEqual(expect.arrayContaining(['permits-expired', 'unlock-refused', 'permits-back']));
});

test('[C1] the count of a latch falls step by step, and a message ends the waits of all subscribers', () => {
  const track = goldenTrack(NEWEST, 'latch', 'boot');
  expect(track.counter.map(({ count }) => count)).toEqual([2, 1, 0]);
  expect(waitsIn(track).map(({ holder, mode, ended }) => [holder, mode, ended])).toEqual([
    ['app1', 'latch', 'message'],
    ['app2', 'latch', 'message'],
  ]);
  expect(marksOf(track).map((mark) => sentence(track, mark))).toContain('app2 counted boot down to 0: it is open.');
});

test('[F1] [F4] a waiter of a fair lock moves up in the queue', () => {
  const track = goldenTrack(NEWEST, 'fair', 'orders:42');
  const places = waitsIn(track).map(({ stay }) => stay?.places.map(({ position }) => position).join(' '));
  expect(places).toEqual(['1', '2 1', '3']);
  expect(waitsIn(track).map((wait) => sentence(track, wait))).toContainEqual(
    expect.stringContaining(', 2nd, then 1st in line'),
  );
});

test('[F2] [F6] thousands of attempts behind a dead head are one mark within the continuing wait', () => {
  const track = goldenTrack(NEWEST, 'fair-dead-head', 'orders:42');
  const [run, ...others] = track.lanes.flatMap((lane) => lane.runs);
  if (!run) throw new Error('no run');
  expect(others).toEqual([]);
  expect(run.attempts).toBeGreaterThan(7600);
  expect(marksOf(track).length).toBeLessThan(30);
  const { rows } = marksInView([track], run, run.to, run.to);
  expect(rows.map(({ mark }) => mark.kind)).toEqual(expect.arrayContaining(['run', 'wait']));
  expect(sentence(track, run)).toMatch(/attempted orders:42 7,\d{3} times within 1\.\d+ s, without a pause/);
});

test('[N1] [N2] a hold of a fenced lock has its token, even if the token is learned later', () => {
  const of = { lock: 'ledger', kind: 'fenced-lock', holder: 'u:1', mode: 'exclusive' };
  const events = [
    makeEvent(1, { ...of, at: 1_000_000, type: 'lock.acquired', holdCount: 1, fencingToken: '41' }),
    makeEvent(2, { ...of, at: 2_000_000, type: 'lock.released', holdCount: 0 }),
    makeEvent(3, { ...of, at: 3_000_000, type: 'lock.acquired', holdCount: 1 }),
    makeEvent(4, { ...of, at: 4_000_000, type: 'lock.learned', fencingToken: '42' }),
  ];
  const track = trackFromEvents('redis/0/ledger', events);
  expect(holdsIn(track).map(({ token }) => token)).toEqual(['41', '42']);
  expect(holdsIn(track).map((hold) => sentence(track, hold))).toContainEqual(
    expect.stringContaining('with fencing token 41'),
  );
});

test('a view that begins during several permits has all of them', () => {
  const { lanes } = goldenTrack(NEWEST, 'expirable-semaphore', 'slots');
  const spans = lanes[0]?.spans ?? [];
  expect(firstThatReaches(spans, redisTime(spans[1]?.from ?? 0))).toBe(0);
});
