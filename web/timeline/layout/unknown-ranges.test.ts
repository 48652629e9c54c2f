import { expect, test } from 'vitest';
import { redisTime } from '../../../shared/base/time.ts';
import { endOfSpot, isBlindAt, shownBlindSpots } from '../../data/window/blind-spots.ts';
import { unknownRanges } from './unknown-ranges.ts';

const at = redisTime;
const span = (from: number, to: number) => ({ from: at(from), to: at(to) });
const memory = { oldestAt: at(100), hasDropped: true };
const parts = (view: ReturnType<typeof span>, known: Partial<Parameters<typeof unknownRanges>[1]> = {}) =>
  unknownRanges(view, { memory, loaded: span(300, 600), now: at(1000), loading: null, ...known }).map(
    ({ why, from, to }) => `${why} ${from}-${to}`,
  );

test('a view has parts that were dropped or are not loaded, and none if all of it is loaded', () => {
  expect(parts(span(0, 1100))).toEqual(['dropped 0-100', 'unloaded 100-300', 'unloaded 600-1000']);
  expect(parts(span(350, 500))).toEqual([]);
});

test('a history that follows now has no unknown part on its right', () => {
  expect(parts(span(0, 1100), { loaded: { from: at(300), to: null } })).toEqual(['dropped 0-100', 'unloaded 100-300']);
});

test('if nothing was dropped, the time before the first event is marked `before-first`', () => {
  expect(parts(span(50, 350), { memory: { oldestAt: at(100), hasDropped: false }, loaded: span(100, 600) })).toEqual([
    'before-first 50-100',
  ]);
});

test('a view that ends before memory begins shows the oldest instant in memory', () => {
  const [part] = unknownRanges(span(10, 20), { memory, loaded: null, now: at(1000), loading: null });
  expect(part).toMatchObject({ why: 'dropped', to: 20, edge: 100 });
});

test('a range that is being read shows its progress, or that reading failed', () => {
  const loading = { ...span(100, 300), reached: at(150) };
  const [part] = unknownRanges(span(200, 400), { memory, loaded: span(300, 600), now: at(1000), loading });
  expect(part).toMatchObject({ why: 'loading', done: 0.25 });
  expect(parts(span(200, 400), { loading: { ...loading, reached: 'failed' } })).toEqual(['failed 200-300']);
});

test('an open blind spot of a server that was stopped on purpose is hidden', () => {
  const spots = [
    { source: 'dead', from: at(10), to: null, reason: 'socket' },
    { source: 'cut', from: at(20), to: null, reason: 'socket' },
    { source: 'gone', from: at(30), to: at(40), reason: 'socket' },
  ];
  const shown = shownBlindSpots(spots, [{ id: 'main' }, { id: 'dead', ended: true }, { id: 'cut' }]);
  expect(shown.map(({ source }) => source)).toEqual(['cut', 'gone']);
  expect(isBlindAt(shown, 'cut', 25)).toBe(true);
  expect(isBlindAt(shown, 'main', 25)).toBe(false);
});

test('blind spots are also known from an outline and from the silence of an observer', () => {
  const known = [{ source: 'a', from: at(10), to: at(20), reason: 'socket' }];
  const outlined = [
    { source: 'a', from: at(5), to: at(8) },
    { source: 'a', from: at(10), to: at(20) },
  ];
  const problem = { code: 'observer-silent', message: '', hint: '', values: {} };
  const silent = { id: 'b', problem, unwatchedSince: at(30) };
  const shown = shownBlindSpots(known, [{ id: 'a' }, silent], outlined);
  expect(shown.map(({ source, from, to, reason }) => `${source} ${from}-${to} ${reason}`)).toEqual([
    ...['a 10-20 socket', 'a 5-8 unknown', 'b 30-null unknown'],
  ]);
  expect(shown.map((spot) => endOfSpot(spot, at(40), at(90)))).toEqual([20, 8, 90]);
  const open = [{ source: 'b', from: at(31), to: null, reason: 'unknown' }];
  expect(shownBlindSpots(open, [silent])).toMatchObject([{ from: 31, isSilent: true }]);
  expect(shownBlindSpots(open, [{ id: 'b' }]).map((spot) => endOfSpot(spot, at(40), at(90)))).toEqual([40]);
});

test('a blind spot whose end is not loaded ends where the outline shows it', () => {
  const known = [{ source: 'a', from: at(10), to: null, reason: 'socket' }];
  const outlined = [
    { source: 'a', from: at(10), to: at(20) },
    { source: 'a', from: at(30), to: at(40) },
  ];
  expect(shownBlindSpots(known, [{ id: 'a' }], outlined)).toMatchObject([
    { from: 10, to: 20, reason: 'socket' },
    { from: 30, to: 40, reason: 'unknown' },
  ]);
});

test('a range is drawn as an outline if holds and waits are known without events', () => {
  expect(parts(span(0, 1100), { outlined: span(200, 1000) })).toEqual([
    ...['dropped 0-100', 'unloaded 100-200', 'outlined 200-300', 'outlined 600-1000'],
  ]);
  expect(parts(span(0, 1100), { loaded: null, outlined: span(100, 900) })).toEqual([
    ...['dropped 0-100', 'outlined 100-900', 'unloaded 900-1000'],
  ]);
  expect(parts(span(0, 1100), { outlined: span(350, 500) })).toEqual(parts(span(0, 1100)));
});
