import type { RedisUrl } from '../../shared/base/redis-url.ts';
import type { RedisTime } from '../../shared/base/time.ts';
import type { OwnLocksWish } from '../../shared/events/apply/own-locks.ts';
import type { LockEvent } from '../../shared/events/event.ts';
import type { Report } from '../../shared/insights/insight.ts';
import type { WaitGraph } from '../../shared/insights/wait-graph.ts';
import type { LockCount, LockTally } from '../../shared/state/lock-counts.ts';
import type { OldestWait } from '../../shared/state/oldest-waits.ts';
import type { Span } from '../../shared/wire/http.ts';
import type { Lock, LockDetail } from '../../shared/wire/lock.ts';
import type { ObserveLevel, Source } from '../../shared/wire/source.ts';
import type { TrendBin } from '../../shared/wire/trends.ts';
import type { ClientPage, ClientPageQuery } from './history/client-page.ts';
import type { MemoryUse } from './history/memory-use.ts';
import type {
  EventQuery,
  GraphQuery,
  InsightQuery,
  LockPage,
  LockPageQuery,
  LockPlace,
  SpanQuery,
  Window,
  WindowQuery,
} from './history/queries.ts';
import type { RhythmOfClient } from './history/rhythm-of.ts';
import type { TraitsOfClient } from './history/traits-of.ts';
import type { WaitCosts } from './history/wait-costs-of.ts';
import type { UnseenWaits } from './history/watch-log.ts';
import type { RecordingCut } from './recording/recording-sink.ts';
import type { LevelWish } from './source/level-switch.ts';
import type { Note } from './source/worker-messages.ts';

/** The interface of `server/watch`: everything that `http` and `socket` show comes through it. */
export type Observatory = {
  sources(): Source[];
  /** The present Redis time of the given source, or of the first source. It is Redis's clock, not ours. */
  now(sourceId?: string): RedisTime;
  /**
   * The locks in memory, those that need attention first (`byAttention`): the first `most`, with at most `mostFree` free
   * locks.
   */
  locks(mostFree?: number, most?: number): Lock[];
  /** One page of the wanted locks, in the same order. Like every answer that is a promise, it blocks no other work. */
  lockPage(query: LockPageQuery, signal?: AbortSignal): Promise<LockPage>;
  /** The locks with this name: several if it is used in several sources or databases. */
  locksNamed(name: string, where?: LockPlace): Lock[];
  /** The same at a past instant that is in memory. Includes locks that were evicted since. */
  pastLocksNamed(name: string, where: LockPlace, at: RedisTime, signal?: AbortSignal): Promise<Lock[]>;
  lockById(id: string): Lock | undefined;
  /** The locks in memory by source and kind, and the oldest wait of each source. Costs the same for any number of locks. */
  tallies(): { readonly locks: readonly LockTally[]; readonly oldestWaits: ReadonlyMap<string, OldestWait> };
  /** The holders and waiters of one lock; undefined if it is not in memory. */
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
   * The lock with its figures and keys. With `at`, the lock at that past instant, which must be in memory: `undefined` if
   * the lock did not exist then.
   */
  detail(lock: Lock, at?: RedisTime, signal?: AbortSignal): Promise<LockDetail | undefined>;
  /** The locks at an instant, and all events from there to a later one. */
  window(query: WindowQuery, signal?: AbortSignal): Promise<Window>;
  /** Figures over a stretch of time, in about `bins` bins of `micros` µs each. `since`: when counting began. */
  trends(query: { from: RedisTime; to: RedisTime; bins: number }): {
    readonly micros: number;
    readonly bins: TrendBin[];
    readonly since: number | null;
  };
  spans(query: SpanQuery, signal?: AbortSignal): Promise<{ spans: Span[]; truncated: boolean }>;
  /** The server that has the locks of a source, with its login; undefined: it is not connected, or a recording. */
  serverOf?(source: string): RedisUrl | undefined;
  history: EventHistory;
  /** Switches a source's level; rejects with an `ObserveRefusal`-shaped error when the server does not allow it. */
  observe(sourceId: string, wish: LevelWish): Promise<Source>;
  /** Applies what the user decides about keys that look like an application's own locks; rejects as `observe` does. */
  decideOwnLocks(sourceId: string, wish: OwnLocksWish): Promise<Source>;
  /** Adds what a person wrote about a problem, as an event; rejects as `observe` does. Absent: it is a recording. */
  note?(sourceId: string, note: Note): Promise<void>;
  /** The part of a stretch of one source's time that is in memory, as a recording; `undefined` if none of it is. */
  recording(
    query: { source?: string | undefined; from?: number | undefined; to?: number | undefined },
    signal?: AbortSignal,
  ): Promise<RecordingCut | undefined>;
  /** Calls `listener` for every batch, in order, and never awaits it. Returns a function that ends the calls. */
  onBatch(listener: (batch: ObservedBatch) => void): () => void;
  /**
   * Watches one more server, until `unwatch`. It is not written to recordings. If a source with this id is watched
   * already, the server at `url` replaces its server.
   */
  watch?(source: ExtraSource): void;
  unwatch?(id: string): Promise<void>;
  /** Notes that the server of a source is ended on purpose. The source and what was seen of it stay until `unwatch`. */
  noteEnded?(id: string): void;
  /** The memory that events and locks take, and when the limit was last lowered; absent: unknown. */
  memory?(): MemoryUse & { readonly shedAt: RedisTime | null };
  /** Changes how much memory the whole process may take, in bytes, and evicts what exceeds it. */
  setMemory?(limit: number): void;
  start(): Promise<void>;
  /** Ends MONITOR, restores settings and closes connections. */
  stop(): Promise<void>;
};

/** A server that is watched only for a while. */
export type ExtraSource = { readonly id: string; readonly url: string; readonly level: ObserveLevel };

/** Events that arrived together, the locks they changed, and whether the status of a source changed. */
export type ObservedBatch = {
  fromSeq: number;
  toSeq: number;
  events: readonly LockEvent[];
  /** Ids of locks whose view changed, by an event or by what CLIENT LIST reports about a holder. */
  changed: readonly string[];
  gone: readonly string[];
  sourcesChanged: boolean;
};

/** The bounded memory of events. */
export type EventHistory = {
  oldestSeq(): number;
  /** Redis time of the oldest instant in memory; undefined while there is no event. */
  readonly oldestAt: RedisTime | undefined;
  nextSeq(): number;
  count(): number;
  /** True once events have been evicted. */
  isCapped(): boolean;
  /** Events with a higher seq, oldest first; `undefined` when some of them are no longer in memory. */
  after(seq: number, limit: number): LockEvent[] | undefined;
  /** Matching events, oldest first. Without `after`, the newest `limit` of them. `isCut`: there may be more. */
  search(query: EventQuery, signal?: AbortSignal): Promise<{ events: LockEvent[]; isCut: boolean }>;
  /** The redacted Redis lines behind an event; undefined when it is not in memory. */
  signals(seq: number): Promise<readonly string[] | undefined>;
};
