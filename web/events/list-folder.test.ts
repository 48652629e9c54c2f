import { expect, test } from 'vitest';
import { foldsFromEvents } from '../../testing/stories/folds-from-events.ts';
import { makeEvent } from '../testing/make.ts';
import { ListFolder } from './list-folder.ts';

/** Quick holds by two holders in turn. */
const EVENTS = Array.from({ length: 200 }, (_, n) =>
  makeEvent(n + 1, {
    ...{ type: n % 4 < 2 ? 'lock.acquired' : 'lock.released', holder: `u:${n % 2}`, lock: `l${n % 2}` },
    ...{ mode: 'exclusive' },
  }),
);

const foldsIn = (folder: ListFolder, from: number, to: number) => {
  const events = EVENTS.slice(from, to);
  const foldOf = folder.foldsOf(events);
  return [...new Set(events.flatMap(({ seq }) => foldOf.get(seq) ?? []))];
};

test('a list that grows and is cut at its beginning has the same folds as the whole list', () => {
  const folder = new ListFolder();
  for (let to = 1; to <= 200; to += 3) foldsIn(folder, Math.max(0, to - 80), to);
  const all = foldsFromEvents(EVENTS);
  expect(all.length).toBeGreaterThan(80);
  const seqs = (folds: ReturnType<typeof foldsIn>) => folds.map(({ events }) => events.map(({ seq }) => seq));
  expect(seqs(foldsIn(folder, 120, 200))).toEqual(seqs(all.filter(({ events }) => (events.at(-1)?.seq ?? 0) > 120)));
});

test('a new list, an older part, and a list with more events in its middle are folded from the beginning', () => {
  for (const [from, to] of [
    [0, 200],
    [20, 60],
    [150, 160],
  ] as const) {
    const folder = new ListFolder();
    foldsIn(folder, 60, 100);
    expect(foldsIn(folder, from, to)).toEqual(foldsFromEvents(EVENTS.slice(from, to)));
  }
  const folder = new ListFolder();
  folder.foldsOf(EVENTS.filter(({ seq }) => seq % 3 !== 0));
  expect(foldsIn(folder, 0, 200)).toEqual(foldsFromEvents(EVENTS));
});
