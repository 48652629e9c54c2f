import { expect, test } from 'vitest';
import { holderOf, seconds, story } from '../../testing/stories/story.ts';
import { type RenewalRhythm, RhythmReader } from './renewal-rhythm.ts';

const CLIENT = holderOf('A').split(':')[0] ?? '';

/** The rhythm of client A in a story of several locks with leases of 6 s: each line is `TIME LOCK ACTOR VERB`. */
function rhythmOf(text: string): RenewalRhythm {
  const lines = text.trim().split('\n');
  const events = story(
    ...lines.map((line) => {
      const [time, lock, ...rest] = line.trim().split(/\s+/);
      return `${lock} lease 6s\n${time} ${rest.join(' ')}`;
    }),
  );
  const reader = new RhythmReader(CLIENT);
  for (const event of events) reader.take(event);
  return reader.rhythm();
}

test('for renewals in time, the longest gap and the least time left are reported', () => {
  const rhythm = rhythmOf(`
    0    jobs:1 A attempts acquired
    2    jobs:1 A renews
    4.5  jobs:1 A renews
    5    jobs:1 A releases`);
  expect(rhythm).toEqual({
    ...{ renewals: 2, late: 0, expired: 0, longestMs: 2500, leastLeftMs: 3500, pauses: [] },
  });
});

test('a renewal after two thirds of its lease is late', () => {
  const rhythm = rhythmOf(`
    0    jobs:1 A attempts acquired
    4.1  jobs:1 A renews`);
  expect(rhythm).toMatchObject({ late: 1, leastLeftMs: 1900 });
});

test('a lease that was renewed and then expired is counted', () => {
  const rhythm = rhythmOf(`
    0    jobs:1 A attempts acquired
    2    jobs:1 A renews
    8    jobs:1 - hears expired
    9    jobs:2 A attempts acquired
    15   jobs:2 - hears expired`);
  expect(rhythm.expired).toBe(1);
});

test('several locks that were due and were then renewed together show that their client paused', () => {
  const { pauses } = rhythmOf(`
    0     jobs:1 A attempts acquired
    0.5   jobs:2 A attempts acquired
    5     jobs:1 A renews
    5.01  jobs:2 A renews
    6     jobs:1 A releases`);
  expect(pauses).toEqual([{ from: seconds(2.500002), to: seconds(5.000002), locks: 2, seq: 3 }]);
});

test('a client that sent other commands before the late renewals has not paused until then', () => {
  const { pauses } = rhythmOf(`
    0     jobs:1 A attempts acquired
    0.5   jobs:2 A attempts acquired
    4.5   jobs:3 A2 attempts acquired
    5     jobs:1 A renews
    5.01  jobs:2 A renews
    6     jobs:1 A releases`);
  expect(pauses).toEqual([]);
});

test('a single late renewal does not show a pause of its client', () => {
  expect(
    rhythmOf(`
    0     jobs:1 A attempts acquired
    5     jobs:1 A renews
    6     jobs:1 A releases`).pauses,
  ).toEqual([]);
});

test('gaps and pauses across a time that was not watched are not counted', () => {
  const rhythm = rhythmOf(`
    0     jobs:1 A attempts acquired
    0.5   jobs:2 A attempts acquired
    1     jobs:1 - loses sight
    4     jobs:1 - sees again
    5     jobs:1 A renews
    5.01  jobs:2 A renews
    6     jobs:1 A releases`);
  expect(rhythm).toMatchObject({ renewals: 2, late: 0, longestMs: null, pauses: [] });
});

test('renewals by other clients are not counted', () => {
  const rhythm = rhythmOf(`
    0    jobs:1 B attempts acquired
    5    jobs:1 B renews`);
  expect(rhythm).toMatchObject({ renewals: 0, late: 0, longestMs: null });
});
