import { expect, test } from 'vitest';
import { makeEvent } from '../testing/make.ts';
import { foldedIn, rowKeyOf, rowsFromEvents } from './event-rows.ts';
import { ListFolder } from './list-folder.ts';

const refused = { type: 'lock.refused', mode: 'exclusive', ttlMs: 0, attempt: 1, asleep: false };
/** Events 2 to 11 are attempts of `u:2` without a pause, except event 6, which belongs to another holder. */
const EVENTS = Array.from({ length: 12 }, (_, n) =>
  n === 0 || n === 5 || n === 11 ? makeEvent(n + 1) : makeEvent(n + 1, { ...refused, holder: 'u:2' }),
);
const NONE = new Set<number>();

test('a collapsed run is one row, but unrelated events between its attempts keep their own rows', () => {
  const rows = rowsFromEvents(EVENTS, NONE, null);
  expect(rows.map((row) => (row.kind === 'run' ? `×${row.run.attempts}` : row.key))).toEqual([1, '×9', 6, 12]);
});

test('an expanded run is followed by its attempts', () => {
  const rows = rowsFromEvents(EVENTS, new Set([2]), null);
  expect(rows.map(({ key }) => key)).toEqual([1, 'run 2', 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
});

test('a run is expanded if one of its attempts is selected', () => {
  expect(rowsFromEvents(EVENTS, NONE, 8)).toHaveLength(13);
  expect(rowsFromEvents(EVENTS, NONE, 6)).toHaveLength(4);
});

test('an attempt of a collapsed run is on the row of the run', () => {
  const rows = rowsFromEvents(EVENTS, NONE, null);
  expect([1, 4, 6, 9, 12].map((seq) => rowKeyOf(rows, seq))).toEqual([1, 'run 2', 6, 'run 2', 12]);
  expect(rowKeyOf(rows, 99)).toBeNull();
});

test('a thread that attempts two locks alternately has one run per lock', () => {
  const events = EVENTS.map((event, n) => ({ ...event, lock: n % 2 === 0 ? 'a' : 'b' }));
  const runs = rowsFromEvents([...events, ...events.map((event) => ({ ...event, seq: event.seq + 12 }))], NONE, null);
  expect(runs.filter(({ kind }) => kind === 'run').map(({ event }) => event.lock)).toEqual(['b', 'a']);
});

/** Fifteen successive holds of a millisecond each. */
const QUICK = Array.from({ length: 30 }, (_, n) => {
  const type = n % 2 === 0 ? 'lock.acquired' : 'lock.released';
  return makeEvent(n + 1, { type, mode: 'exclusive', holdCount: n % 2 === 0 ? 1 : 0 });
});

test('in a busy list, a short hold is one row, which opens if it is clicked or one of its events is selected', () => {
  const foldOf = new ListFolder().foldsOf(QUICK);
  const closed = rowsFromEvents(QUICK, NONE, null, foldOf);
  expect(closed.slice(-2).map(({ key }) => key)).toEqual(['fold 27', 'fold 29']);
  expect(foldedIn(closed)).toEqual({ events: 10, rows: 5 });
  const keys = (opened: ReadonlySet<number>, selected: number | null) =>
    rowsFromEvents(QUICK, opened, selected, foldOf)
      .slice(-4)
      .map(({ key }) => key);
  expect(keys(new Set([29]), null)).toEqual(['fold 27', 'fold 29', 29, 30]);
  expect(keys(NONE, 30)).toEqual(['fold 27', 'fold 29', 29, 30]);
  expect(rowKeyOf(closed, 28)).toBe('fold 27');
});
