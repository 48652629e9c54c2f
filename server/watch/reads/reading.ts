import type { Interpreter } from '../../../shared/events/interpreter.ts';
import type { ObserveLevel, Source } from '../../../shared/wire/source.ts';
import type { OrderedFeed } from '../../redis/stream/ordered-feed.ts';
import type { CarefulReads } from './careful-reads.ts';
import { ReadBudget } from './read-budget.ts';
import type { ReadingMemory } from './reading-memory.ts';

export type ReadingOptions = {
  readonly level: ObserveLevel;
  readonly match: readonly string[];
  readonly ownDb: number;
  readonly keyEvents: Source['keyEvents'];
  readonly memory: ReadingMemory;
  /** Called when the first round is complete: this server and this user let us read. */
  onFirstRound(): void;
};

/** What the loops of one connection share. */
export type Reading = {
  readonly feed: OrderedFeed;
  readonly interpreter: Interpreter;
  readonly options: ReadingOptions;
  readonly reads: CarefulReads;
  readonly budgets: ReturnType<typeof budgetsFor>;
  /** Whether keys of this name are watched. */
  isWanted(name: string): boolean;
};

/** Whether key events show at this level which keys have to be read. */
export function isHeard(level: ObserveLevel): boolean {
  return level === 'events' || level === 'replication';
}

/**
 * The budget of each loop: Redis's time in µs a second, and how much unused time is saved up. `changes` and `found` are
 * large, but are used only while locks change, or a scan finds locks. At level `events`, `samples`, `rounds` and
 * `scans` together stay below 1 %, whatever the server holds.
 */
export function budgetsFor(level: ObserveLevel, now: number) {
  const perSecondOfRounds = level === 'snapshot' ? 25_000 : 2500;
  return {
    changes: new ReadBudget(100_000, 200_000, now),
    samples: new ReadBudget(1500, 3000, now),
    rounds: new ReadBudget(perSecondOfRounds, 10 * perSecondOfRounds, now),
    scans: new ReadBudget(4000, 60_000, now),
    found: new ReadBudget(30_000, 100_000, now),
    /** Instead of `scans`, for the first scan of a server that has time to spare. */
    firstScan: new ReadBudget(40_000, 200_000, now),
  };
}
