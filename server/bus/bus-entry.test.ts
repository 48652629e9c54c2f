import { expect, test } from 'vitest';
import {
  entryFrom,
  fieldsOfEntry,
  idOf,
  isBefore,
  nextRun,
  placeOf,
  rawEntriesFrom,
  type StreamEntry,
} from './bus-entry.ts';

const BLOCK = {
  kind: 'block',
  run: 7,
  first: 3,
  last: 9,
  from: 100,
  to: 200,
  event: 12,
  bytes: Buffer.from([0, 255]),
} as const;
const GAP = {
  kind: 'gap',
  run: 7,
  first: 3,
  last: 9,
  from: 100,
  to: 200,
  event: 12,
  reason: 'bus-full',
  state: 20,
} as const;

/** The entry as a client receives it: every text as bytes. */
function sent(entry: StreamEntry): unknown {
  const words = fieldsOfEntry(entry).map((word) => (word instanceof Buffer ? word : Buffer.from(String(word))));
  return [[Buffer.from(idOf({ run: entry.run, seq: entry.last })), words]];
}

test.each([BLOCK, GAP])('a $kind is read as it was written', (entry) => {
  expect(rawEntriesFrom(sent(entry)).map(entryFrom)).toEqual([entry]);
});

test('an entry of an unknown kind and an id of an unknown form are not recognised', () => {
  const other = [[Buffer.from('7-9'), [Buffer.from('kind'), Buffer.from('later')]]];
  expect(rawEntriesFrom(other).map(entryFrom)).toEqual([undefined]);
  expect(placeOf('7-*')).toBeUndefined();
});

test('the number of a run is its start, or one more than the run before it if that is greater', () => {
  expect(nextRun(1000.7, undefined)).toBe(1000);
  expect(nextRun(1000, 999)).toBe(1000);
  expect(nextRun(1000, 5000)).toBe(5001);
});

test('places are ordered by run, then by line', () => {
  expect(isBefore({ run: 1, seq: 9 }, { run: 2, seq: 1 })).toBe(true);
  expect(isBefore({ run: 2, seq: 1 }, { run: 2, seq: 1 })).toBe(false);
  expect(isBefore({ run: 2, seq: 10 }, { run: 2, seq: 9 })).toBe(false);
});
