import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Interpreter } from '../../../shared/events/interpreter.ts';
import type { ObserveLevel } from '../../../shared/wire/source.ts';
import type { Reply } from '../../redis/connection/reply.ts';
import { RefusedRights } from '../../redis/rights/refused-rights.ts';
import type { OrderedFeed } from '../../redis/stream/ordered-feed.ts';
import type { CarefulReads } from './careful-reads.ts';
import { KeyRounds } from './key-rounds.ts';
import type { NewKeys } from './new-keys.ts';
import { budgetsFor, type Reading } from './reading.ts';
import { ReadingMemory } from './reading-memory.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Text of INFO commandstats after this many calls of SWAPDB. */
const swapped = (calls: number) =>
  calls === 0 ? 'cmdstat_get:calls=1,usec=1\r\n' : `cmdstat_swapdb:calls=${calls},usec=9,usec_per_call=9.00\r\n`;

/** Rounds at an empty server: `scans` counts the scans that began, `rounds` the rounds that were read. */
function roundsAt(level: ObserveLevel) {
  const counts = { scans: 0, rounds: 0 };
  const answer = ([name, ...words]: readonly string[]): Reply => {
    if (name === 'INFO' && words[0] === 'keyspace') counts.scans++;
    if (name === 'SCAN') return ['0', []];
    return name === 'INFO' ? '' : 'OK';
  };
  const feed = { capabilities: { isSharded: false }, rights: new RefusedRights(), now: () => 0 };
  const reads = {
    askWithin:
      () =>
      async (...commands: string[][]) =>
        commands.map(answer),
    mark: async () => void counts.rounds++,
    read: async () => undefined,
  };
  const reading: Reading = {
    feed: feed as unknown as OrderedFeed, // the code under test uses only these parts
    interpreter: new Interpreter({ source: 'test' }),
    options: { level, match: [], ownDb: 0, keyEvents: 'notifications', memory: new ReadingMemory(), onFirstRound() {} },
    reads: reads as unknown as CarefulReads, // as above
    budgets: budgetsFor(level, 0),
    isWanted: () => true,
  };
  const rounds = new KeyRounds(reading, {} as NewKeys); // no key is too large, so none is judged
  void rounds.run();
  return { rounds, counts };
}

test('[K10] a scan and then a round begin as soon as INFO shows that SWAPDB was called, because no key event reports it', async () => {
  const { rounds, counts } = roundsAt('events');
  await vi.advanceTimersByTimeAsync(100);
  rounds.heardStats(swapped(0));
  expect(counts).toEqual({ scans: 1, rounds: 1 });
  await vi.advanceTimersByTimeAsync(1900);
  rounds.heardStats(swapped(1));
  await vi.advanceTimersByTimeAsync(100);
  expect(counts).toEqual({ scans: 2, rounds: 2 });
  rounds.heardStats(swapped(1));
  await vi.advanceTimersByTimeAsync(1900);
  expect(counts).toEqual({ scans: 2, rounds: 2 });
  rounds.stop();
});

test('[K10] SWAPDB calls before the first INFO do not count, and calls after CONFIG RESETSTAT do', async () => {
  const { rounds, counts } = roundsAt('events');
  await vi.advanceTimersByTimeAsync(100);
  rounds.heardStats(swapped(7));
  await vi.advanceTimersByTimeAsync(100);
  expect(counts.scans).toBe(1);
  rounds.heardStats(swapped(2));
  await vi.advanceTimersByTimeAsync(100);
  expect(counts.scans).toBe(2);
  rounds.heardStats(swapped(0));
  await vi.advanceTimersByTimeAsync(100);
  expect(counts.scans).toBe(2);
  rounds.stop();
});

test('[K10] at level `monitor`, which shows SWAPDB itself, its count in INFO starts no scan', async () => {
  const { rounds, counts } = roundsAt('monitor');
  await vi.advanceTimersByTimeAsync(100);
  rounds.heardStats(swapped(0));
  rounds.heardStats(swapped(1));
  await vi.advanceTimersByTimeAsync(100);
  expect(counts.scans).toBe(1);
  rounds.stop();
});
