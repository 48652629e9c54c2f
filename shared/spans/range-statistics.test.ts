import { expect, test } from 'vitest';
import { seconds, story } from '../../testing/stories/story.ts';
import { holdsFromEvents } from './holds-from-events.ts';
import { RangeStatistics } from './range-statistics.ts';
import { waitsFromEvents } from './waits-from-events.ts';

const EVENTS = story(`x lease 30s
  0.000  A attempts acquired
  1.000  B attempts refused
  1.001  B subscribes
  1.002  B attempts refused
  4.000  A releases
  4.100  B attempts acquired
  6.000  B releases
  7.000  C attempts acquired`);

function statisticsOf(from: number, to: number): RangeStatistics {
  const statistics = new RangeStatistics(seconds(from), seconds(to));
  statistics.take(holdsFromEvents(EVENTS), waitsFromEvents(EVENTS));
  return statistics;
}

test('holds and waits are counted where they end, with their whole length', () => {
  const { holds, waits, refusals, gaveUp } = statisticsOf(3, 5);
  expect(holds.spread()).toMatchObject({ count: 1, longest: 4_000_000 });
  const wait = waits.spread();
  expect([wait?.count, Math.round((wait?.longest ?? 0) / 100_000), refusals, gaveUp]).toEqual([1, 31, 2, 0]);
});

test('a hold that goes on is not counted', () => {
  expect(statisticsOf(0, 9).holds.spread()).toMatchObject({ count: 2 });
  expect(statisticsOf(6.5, 9).holds.spread()).toBeNull();
});

test('the statistics show how much of its lease each released hold used, and how many leases expired', () => {
  const events = story(`x lease 10s
    0   A attempts acquired
    3   A renews
    12  A releases
    13  B attempts acquired
    15  B releases
    16  C attempts acquired
    26  - hears expired`);
  const statistics = new RangeStatistics(seconds(0), seconds(30));
  statistics.take(holdsFromEvents(events), []);
  const used = statistics.leaseUsed.spread();
  expect([used?.count, Math.round((used?.longest ?? 0) / 10_000), Math.round((used?.median ?? 0) / 10_000)]).toEqual([
    2, 90, 20,
  ]);
  expect(statistics.expired).toBe(1);
});

test('a wait or hold whose beginning was not seen is left out of the lengths and counted apart', () => {
  const events = story(`x lease 30s
    0.000   redis snapshot A×1 20000
    5.000   B attempts refused
    20.002  B attempts refused
    21.000  A releases
    21.001  B attempts acquired
    22.000  B releases`);
  const statistics = new RangeStatistics(seconds(0), seconds(30));
  statistics.take(holdsFromEvents(events), waitsFromEvents(events));
  expect(statistics.waits.spread()).toBeNull();
  expect(statistics.holds.spread()).toMatchObject({ count: 1 });
  expect([statistics.refusals, statistics.older]).toEqual([0, { holds: 1, waits: 1 }]);
});
