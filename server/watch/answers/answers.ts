import type { RedisTime } from '../../../shared/base/time.ts';
import type { Report } from '../../../shared/insights/insight.ts';
import type { WaitGraph } from '../../../shared/insights/wait-graph.ts';
import type { LockCount, LockTally } from '../../../shared/state/lock-counts.ts';
import type { OldestWait } from '../../../shared/state/oldest-waits.ts';
import type { Span } from '../../../shared/wire/http.ts';
import type { Lock, LockDetail } from '../../../shared/wire/locks/lock.ts';
import type { TrendBin } from '../../../shared/wire/trends.ts';
import type { UnseenAt } from '../../../shared/wire/unseen-at.ts';
import type { UnseenWaits } from '../history/watch-log.ts';
import type { ObservedBatch } from '../terms/observed-batch.ts';
import type {
  GraphQuery,
  InsightQuery,
  LockPage,
  LockPageQuery,
  LockPlace,
  OutlineQuery,
  SpanQuery,
  Window,
  WindowQuery,
} from '../terms/queries.ts';
import type { ClientPage, ClientPageQuery } from './client-page.ts';
import type { Outline } from './outline-of.ts';
import type { RhythmOfClient } from './rhythm-of.ts';
import type { TraitsOfClient } from './traits-of.ts';
import type { WaitCosts } from './wait-costs-of.ts';

/** The questions that an observatory answers from its events, wherever these come from. */
export type Answers = {
  /** The present Redis time of the given source, or of the first source. It is Redis's clock, not ours. */
  now(sourceId?: string): RedisTime;
  /**
   * The first `most` locks in memory: those that are held or waited for, then at most `mostFree` free ones, both in the
   * order of attention.
   */
  locks(mostFree?: number, most?: number): Lock[];
  /**
   * One page of the wanted locks, in the order of attention. Like every answer that is a promise, it blocks no other
   * work.
   */
  lockPage(query: LockPageQuery, signal?: AbortSignal): Promise<LockPage>;
  /** The locks with this name: several if it is used in several sources or databases. */
  locksNamed(name: string, where?: LockPlace): Lock[];
  /** As `locksNamed`, at a past instant that is in memory. Includes locks that were evicted since. */
  pastLocksNamed(name: string, where: LockPlace, at: RedisTime, signal?: AbortSignal): Promise<Lock[]>;
  lockById(id: string): Lock | undefined;
  /**
   * The locks in memory by source and kind, and the oldest wait of each source. Costs the same for any number of locks.
   */
  tallies(): { readonly locks: readonly LockTally[]; readonly oldestWaits: ReadonlyMap<string, OldestWait> };
  /** How many holders and waiters one lock has; undefined if it is not in memory. */
  countOf(id: string): LockCount | undefined;
  /** Connection names of the clients seen last, by UUID. */
  clientNames(): Record<string, string>;
  /** One page of the clients, now or at a past instant, with the locks they hold and wait for. */
  clientPage(query: ClientPageQuery, signal?: AbortSignal): Promise<ClientPage>;
  /** How one client renewed its leases in the ten minutes before an instant. */
  rhythm(query: { source: string; client: string; to: RedisTime }, signal?: AbortSignal): Promise<RhythmOfClient>;
  /** The channels that one client is subscribed to, and its clock, now or at a past instant that is in memory. */
  traits(
    query: { source: string; client: string; at?: RedisTime | undefined },
    signal?: AbortSignal,
  ): Promise<TraitsOfClient>;
  /** What is wrong, by all detectors, now or at a past instant that is in memory. */
  insights(query: InsightQuery, signal?: AbortSignal): Promise<Report>;
  /** Which thread waits for which, now or at a past instant that is in memory. */
  graph(query?: GraphQuery, signal?: AbortSignal): Promise<WaitGraph>;
  /** What all waits between two instants were spent on, and for how long waits were not seen. */
  waitCosts(
    query: { from: RedisTime; to: RedisTime },
    signal?: AbortSignal,
  ): Promise<WaitCosts & { readonly unseen: readonly UnseenWaits[] }>;
  /**
   * The lock with its figures and keys. With `at`, the lock at that past instant, which must be in memory: `undefined`
   * if the lock was not known then.
   */
  detail(lock: Lock, at?: RedisTime, signal?: AbortSignal): Promise<LockDetail | undefined>;
  /** The locks at an instant, and the events from there to a later one, or up to a limit. */
  window(query: WindowQuery, signal?: AbortSignal): Promise<Window>;
  /** Figures over a range of time, in about `bins` bins of `micros` µs each. `since`: when counting began. */
  trends(
    query: { from: RedisTime; to: RedisTime; bins: number },
    signal?: AbortSignal,
  ): Promise<{ readonly micros: number; readonly bins: TrendBin[]; readonly since: number | null }>;
  /** What could not be seen at a past instant that is in memory, by source. */
  unseenAt(at: RedisTime, signal?: AbortSignal): Promise<UnseenAt[]>;
  /**
   * Since when the first source was watched; undefined: no source was. If memory has no event, no lock was seen since
   * then.
   */
  watchedFrom(): RedisTime | undefined;
  /** When each lock was held and waited for, in columns. A day is answered as fast as a minute. */
  outline(query: OutlineQuery, signal?: AbortSignal): Promise<Outline>;
  spans(query: SpanQuery, signal?: AbortSignal): Promise<{ spans: Span[]; truncated: boolean }>;
  /** Calls `listener` for every batch, in order, and never awaits it. Returns a function that ends the calls. */
  onBatch(listener: (batch: ObservedBatch) => void): () => void;
};
