import { z } from 'zod';
import { type CostPart, CostParts } from '../spans/cost-parts.ts';
import { WAIT_CAUSES } from '../spans/divide-waits.ts';
import type { Lengths } from '../spans/lengths.ts';
import type { RangeStatistics } from '../spans/range-statistics.ts';
import type { Cost, WaitRanking } from '../spans/rank-waits.ts';
import { inOrder, instant, limit } from './query.ts';

export const waitsQuery = z
  .object({
    from: instant.optional().describe('Begin (Redis time, µs). Absent: 5 minutes before `to`.'),
    to: instant.optional().describe('End (Redis time, µs). Absent: now.'),
    limit: limit(100, 20).describe('How many entries each list has.'),
  })
  .refine(...inOrder);

/** How many holders the parts of an entry name. */
const MOST_NAMED = 5;

/**
 * What waited time was spent on.
 *
 *   hold          a hold was in the way
 *   circle        the threads waited for each other, or one for itself
 *   waking        free, until the waiter that the message woke acquired the lock
 *   free          free, and no thread acquired the lock, or a thread did without a message
 *   evicted-head  free, but the head of the queue did not attempt, and was evicted
 *   unclear       it is not known which holder was in the way: permits, latches, very many readers or waits
 *   unseen        not watched, not in memory, or the holder was not seen: the lock may have been held
 */
const partFields = z.object({
  cause: z.enum(WAIT_CAUSES),
  ms: z.number(),
  /** With `hold`: its holder. With `evicted-head`: that head. Absent: several, or another cause. */
  holder: z.string().optional(),
  /**
   * The lock of that hold or head. It is the lock that was waited for or, if the holder of that lock waited for another
   * lock itself, the other lock. Absent: as `holder`.
   */
  lock: z.string().optional(),
});
export interface WaitsPart extends z.infer<typeof partFields> {}
const part: z.ZodType<WaitsPart> = partFields;
const place = { source: z.string(), db: z.number(), lock: z.string() };
/** True: a wait began before it was seen, so the times are at least these. Absent: they are exact. */
const isAtLeast = z.literal(true).optional();
/**
 * What a lock, client or thread cost. `waits`: how many. `waitedMs`: their length within the range. `causedMs`: the
 * time that other threads waited because of it.
 */
const cost = { waits: z.number(), waitedMs: z.number(), causedMs: z.number(), isAtLeast, parts: z.array(part) };

const spreadFields = z.object({
  ...{ count: z.number(), medianMs: z.number(), p95Ms: z.number(), longestMs: z.number() },
  /** How many are at least `fromMs` and less than `toMs`, the shortest first; empty ranges are left out. */
  lengths: z.array(z.object({ fromMs: z.number(), toMs: z.number(), count: z.number() })),
});
interface Spread extends z.infer<typeof spreadFields> {}
const spread: z.ZodType<Spread> = spreadFields;

/** What the waits of a range were spent on, in ms; the most expensive entries first. Times are Redis time in µs. */
export const waitsBody = z.object({
  v: z.literal(1),
  /** The counted range: it begins later than asked if memory does, or if there are too many holds and waits. */
  from: z.number(),
  to: z.number(),
  /** There were too many holds and waits: only those from `from` on are counted. */
  isCut: z.boolean(),
  /** All waits together. */
  total: z.object({ waits: z.number(), waitedMs: z.number(), isAtLeast, parts: z.array(part) }),
  locks: z.array(z.object({ ...place, ...cost })),
  clients: z.array(z.object({ client: z.string(), ...cost })),
  threads: z.array(z.object({ holder: z.string(), ...cost })),
  /** The holds that other threads waited for longest. `waiters`: how many threads waited. */
  holds: z.array(
    z.object({
      ...place,
      holder: z.string(),
      from: z.number(),
      /** The hold began before `from`, unseen. */
      isOpenStart: z.boolean(),
      /** Null: the hold had not ended at the end of the range. */
      to: z.number().nullable(),
      seq: z.number(),
      causedMs: z.number(),
      isAtLeast,
      waiters: z.number(),
    }),
  ),
  /** The longest waits. `from` and `to` are those of the whole wait; `ms` is its length within the range. */
  longest: z.array(
    z.object({
      ...place,
      holder: z.string(),
      from: z.number(),
      /** The wait began before `from`, unseen. */
      isOpenStart: z.boolean(),
      to: z.number().nullable(),
      seq: z.number(),
      ms: z.number(),
      parts: z.array(part),
    }),
  ),
  /** How many entries each list leaves out. */
  more: z.object({
    locks: z.number(),
    clients: z.number(),
    threads: z.number(),
    holds: z.number(),
    longest: z.number(),
  }),
  /** Figures about holds and waits that ended between `statistics.from` and `to`. Null: no such hold or wait ended. */
  statistics: z.object({
    /** Since when holds and waits are counted. */
    from: z.number(),
    /** Holds whose beginning and end were seen. */
    holds: spread.nullable(),
    /**
     * For each such hold that was released, the greatest part of its lease, 0 to 1, that had passed before a renewal or
     * the release.
     */
    leaseUsed: z.object({ count: z.number(), median: z.number(), p95: z.number(), greatest: z.number() }).nullable(),
    /** Holds that ended because their lease expired. */
    expired: z.number(),
    /** `waits`: waits that ended with the lock, and whose beginning was seen. `refusals`: their refused attempts. */
    waits: spread.nullable(),
    refusals: z.number(),
    /** Waits that the waiter gave up. Waiters that are presumed gone do not count. */
    gaveUp: z.number(),
    /** The times from a release until the waiter that its message woke acquired the lock. */
    wakeUps: spread.nullable(),
    /**
     * Holds, and waits that ended with the lock, that are in none of the lengths: their beginning was not seen. Absent:
     * none.
     */
    older: z.object({ holds: z.number(), waits: z.number() }).optional(),
  }),
  /**
   * For how much of the range a source did not show which threads wait. Sources that always showed it are not listed.
   */
  unseen: z.array(z.object({ source: z.string(), reason: z.enum(['unwatched', 'level']), ms: z.number() })),
});

export type WaitsBody = z.infer<typeof waitsBody>;

/** A lock, by its source, database and name. */
export type LockPlace = { readonly source: string; readonly db: number; readonly lock: string };
type Costs = {
  readonly from: number;
  readonly to: number;
  readonly isCut: boolean;
  readonly ranking: WaitRanking;
  readonly statistics: RangeStatistics;
  readonly places: ReadonlyMap<string, LockPlace>;
  readonly unseen: readonly {
    readonly source: string;
    readonly reason: 'unwatched' | 'level';
    readonly micros: number;
  }[];
};

/** Writes a ranking as the API shows it: the `most` most expensive entries of each list. */
export function waitsBodyFrom(
  { from, to, isCut, ranking, statistics, places, unseen }: Costs,
  most: number,
): WaitsBody {
  const nameOf = (id: string) => places.get(id)?.lock ?? '';
  const placeOf = (id: string) => places.get(id) ?? { source: '', db: 0, lock: '' };
  const partBody = ({ cause, micros, holder, lock }: CostPart) => ({
    ...{ cause, ms: micros / 1000 },
    ...(holder === undefined ? {} : { holder }),
    ...(lock === undefined ? {} : { lock: nameOf(lock) }),
  });
  const partsOf = (parts: CostParts) => parts.parts(MOST_NAMED).map(partBody);
  const limit = ({ isAtLeast }: { isAtLeast?: true }) => (isAtLeast ? { isAtLeast } : undefined);
  const costBody = (of: Cost) => ({
    ...{ waits: of.waits, waitedMs: of.waited / 1000, causedMs: of.caused / 1000 },
    ...limit(of),
    parts: partsOf(of.parts),
  });
  const rest = (all: number) => Math.max(0, all - most);
  const lost = ({ waited, caused }: Cost) => Math.max(waited, caused);
  const { locks, clients, threads, holds, total } = ranking;
  return {
    ...{ v: 1, from, to, isCut },
    total: { waits: total.waits, waitedMs: total.waited / 1000, ...limit(total), parts: partsOf(total.parts) },
    locks: top(locks, lost, most).map(([lock, each]) => ({ ...placeOf(lock), ...costBody(each) })),
    clients: top(clients, lost, most).map(([client, each]) => ({ client, ...costBody(each) })),
    threads: top(threads, lost, most).map(([holder, each]) => ({ holder, ...costBody(each) })),
    holds: top(holds, ({ micros }) => micros, most).map(([hold, of]) => {
      const { holder, from, isOpenStart, to, fromSeq: seq } = hold;
      const about = { holder, from, isOpenStart, to, seq };
      return { ...placeOf(of.lock), ...about, causedMs: of.micros / 1000, ...limit(of), waiters: of.waiters.size };
    }),
    more: {
      ...{ locks: rest(locks.size), clients: rest(clients.size), threads: rest(threads.size) },
      ...{ holds: rest(holds.size), longest: rest(total.waits) },
    },
    longest: ranking.longestWaits(most).map(({ lock, wait, micros, parts }) => {
      const { holder, from, isOpenStart, to, fromSeq: seq } = wait;
      const sum = new CostParts();
      for (const each of parts) sum.add(each);
      return { ...placeOf(lock), holder, from, isOpenStart, to, seq, ms: micros / 1000, parts: partsOf(sum) };
    }),
    statistics: statisticsBody(statistics),
    unseen: unseen.map(({ source, reason, micros }) => ({ source, reason, ms: micros / 1000 })),
  };
}

function statisticsBody(statistics: RangeStatistics): WaitsBody['statistics'] {
  const { from, holds, waits, wakeUps, refusals, gaveUp, expired } = statistics;
  const used = statistics.leaseUsed.spread();
  const leaseUsed = used && {
    ...{ count: used.count, median: used.median / MILLIONTHS },
    ...{ p95: used.p95 / MILLIONTHS, greatest: used.longest / MILLIONTHS },
  };
  const spreads = { holds: spreadBody(holds), waits: spreadBody(waits), wakeUps: spreadBody(wakeUps) };
  const { older } = statistics;
  return { from, refusals, gaveUp, expired, leaseUsed, ...spreads, ...(older.holds + older.waits > 0 && { older }) };
}

const MILLIONTHS = 1_000_000;

function spreadBody(lengths: Lengths): Spread | null {
  const found = lengths.spread();
  if (!found) return null;
  const { count, median, p95, longest } = found;
  return { count, medianMs: median / 1000, p95Ms: p95 / 1000, longestMs: longest / 1000, lengths: lengths.counts() };
}

function top<K, V>(all: ReadonlyMap<K, V>, rankOf: (value: V) => number, most: number): [K, V][] {
  return [...all].sort(([, a], [, b]) => rankOf(b) - rankOf(a)).slice(0, most);
}
