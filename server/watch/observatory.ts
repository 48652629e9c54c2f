import type { RedisTime } from '../../shared/base/time.ts';
import type { LockEvent } from '../../shared/events/event.ts';
import type { Span } from '../../shared/wire/http.ts';
import type { Lock, LockDetail } from '../../shared/wire/lock.ts';
import type { ObserveLevel, Source } from '../../shared/wire/source.ts';
import type { TrendBin } from '../../shared/wire/trends.ts';
import type { ClientPage, ClientPageQuery } from './history/client-page.ts';
import type { MemoryUse } from './history/memory-use.ts';
import type {
  EventQuery,
  LockPage,
  LockPageQuery,
  LockPlace,
  SpanQuery,
  Window,
  WindowQuery,
} from './history/queries.ts';
import type { RecordingCut } from './recording/recording-sink.ts';
import type { LevelWish } from './source/level-switch.ts';

/** What `http` and `socket` may ask of the watching part: everything they show comes through here. */
export type Observatory = {
  sources(): Source[];
  /** Redis time now, of the source named or the first one: its clock, not ours. */
  now(sourceId?: string): RedisTime;
  /**
   * The locks remembered, in the order of attention (`byAttention`). At most `mostFree` free ones, and the first
   * `most` in all.
   */
  locks(mostFree?: number, most?: number): Lock[];
  /** A part of those that are wanted, in the same order. Like all answers that are promises, it blocks no other work. */
  lockPage(query: LockPageQuery, signal?: AbortSignal): Promise<LockPage>;
  /** Locks of that name; several when it is used in several sources or databases. */
  locksNamed(name: string, where?: LockPlace): Lock[];
  /** The same as of a past instant, which is in memory; also those that have been forgotten since. */
  pastLocksNamed(name: string, where: LockPlace, at: RedisTime, signal?: AbortSignal): Promise<Lock[]>;
  lockById(id: string): Lock | undefined;
  /** Connection names of the clients seen last, by uuid. */
  clientNames(): Record<string, string>;
  /** A part of the clients, now or as of an instant, with what they hold and wait for. */
  clientPage(query: ClientPageQuery, signal?: AbortSignal): Promise<ClientPage>;
  /**
   * The lock with its figures and keys. With `at`, as it was at that past instant, which is in memory: undefined if the
   * lock did not exist then.
   */
  detail(lock: Lock, at?: RedisTime, signal?: AbortSignal): Promise<LockDetail | undefined>;
  /** How locks stood at an instant, and all events from there to another. */
  window(query: WindowQuery, signal?: AbortSignal): Promise<Window>;
  /** Figures over a stretch of time in about so many bins; `micros`: their length, `since`: since when any are counted. */
  trends(query: { from: RedisTime; to: RedisTime; bins: number }): {
    readonly micros: number;
    readonly bins: TrendBin[];
    readonly since: number | null;
  };
  spans(query: SpanQuery, signal?: AbortSignal): Promise<{ spans: Span[]; truncated: boolean }>;
  history: EventHistory;
  /** Switches a source's level; rejects with an `ObserveRefusal`-shaped error when the server does not allow it. */
  observe(sourceId: string, wish: LevelWish): Promise<Source>;
  /** Shows keys that look like an application's own locks as locks, or no longer; rejects as `observe` does. */
  showOwnLocks(sourceId: string, shown: boolean): Promise<Source>;
  /** What is in memory of a stretch of one source's time, as a recording; undefined when nothing of it is. */
  recording(
    query: { source?: string | undefined; from?: number | undefined; to?: number | undefined },
    signal?: AbortSignal,
  ): Promise<RecordingCut | undefined>;
  /** Calls `listener` for every batch, in order; gives back how to stop. Never awaits it. */
  onBatch(listener: (batch: ObservedBatch) => void): () => void;
  /**
   * Watches one more server, until `unwatch`. Recordings have nothing of it. Of a source that is watched already, this
   * tells that another server took over.
   */
  watch?(source: ExtraSource): void;
  unwatch?(id: string): Promise<void>;
  /** The server of a source is ended on purpose; the source stays, with what was seen, until `unwatch`. */
  noteEnded?(id: string): void;
  /** What events and locks take in memory, and when rooms were last made smaller; absent: not known. */
  memory?(): MemoryUse & { readonly shedAt: RedisTime | null };
  /** Changes how much memory the whole process may take, and drops what is too much. */
  setMemory?(limit: number): void;
  start(): Promise<void>;
  /** Monitor off, settings restored, connections closed. */
  stop(): Promise<void>;
};

/** A server that is watched only for a while. */
export type ExtraSource = { readonly id: string; readonly url: string; readonly level: ObserveLevel };

/** Events that came together, the locks they changed, and sources whose status changed. */
export type ObservedBatch = {
  fromSeq: number;
  toSeq: number;
  events: readonly LockEvent[];
  /** Ids of locks whose view changed: by an event, or by what CLIENT LIST says of a holder. */
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
  /** True once the cap has thrown something away. */
  isCapped(): boolean;
  /** Events with a higher seq, oldest first; `undefined` when some of them are no longer in memory. */
  after(seq: number, limit: number): LockEvent[] | undefined;
  /** Matching events, oldest first. Without `after`, the newest `limit` of them. `isCut`: there may be more. */
  search(query: EventQuery, signal?: AbortSignal): Promise<{ events: LockEvent[]; isCut: boolean }>;
  /** The redacted Redis lines behind an event; undefined when it is not in memory. */
  signals(seq: number): Promise<readonly string[] | undefined>;
};
