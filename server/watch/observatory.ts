import type { RedisTime } from '../../shared/base/time.ts';
import type { EventType, LockEvent } from '../../shared/events/event.ts';
import type { Span } from '../../shared/wire/http.ts';
import type { Lock, LockDetail } from '../../shared/wire/lock.ts';
import type { ObserveLevel, Source } from '../../shared/wire/source.ts';
import type { RecordingCut } from './recording-sink.ts';

/** What `http` and `socket` may ask of the watching part: everything they show comes through here. */
export type Observatory = {
  sources(): Source[];
  /** Redis time now, of the source named or the first one: its clock, not ours. */
  now(sourceId?: string): RedisTime;
  /** Every lock remembered, sorted by: held first, then waiters, then name. */
  locks(): Lock[];
  /** Locks of that name; several when it is used in several sources or databases. */
  locksNamed(name: string, where?: { source?: string | undefined; db?: number | undefined }): Lock[];
  /** The lock as of a past instant; undefined when that is no longer in memory or it did not exist. */
  lockAt(id: string, at: RedisTime): Lock | undefined;
  lockById(id: string): Lock | undefined;
  /** Connection names of the clients seen last, by uuid. */
  clientNames(): Record<string, string>;
  /** The lock with its figures and keys; with `at`, as they were at that past instant. */
  detail(lock: Lock, at?: RedisTime): LockDetail;
  spans(query: SpanQuery): { spans: Span[]; truncated: boolean };
  history: EventHistory;
  /** Switches a source's level; rejects with an `ObserveRefusal`-shaped error when the server does not allow it. */
  observe(sourceId: string, level: ObserveLevel, forMs?: number): Promise<Source>;
  /** What is in memory of a stretch of one source's time, as a recording; undefined when nothing of it is. */
  recording(query: {
    source?: string | undefined;
    from?: number | undefined;
    to?: number | undefined;
  }): Promise<RecordingCut | undefined>;
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

/** Of what holds and waits are wanted, and from when to when. */
export type SpanQuery = {
  from?: number | undefined;
  to?: number | undefined;
  lock?: string | undefined;
  source?: string | undefined;
  db?: number | undefined;
};

/** Which events are looked for. */
export type EventQuery = {
  after?: number | undefined;
  /** Without `after`: the newest of those with a lower `seq`. */
  before?: number | undefined;
  lock?: string | undefined;
  type?: EventType | undefined;
  holder?: string | undefined;
  /** Of one multi lock or RedLock. */
  group?: string | undefined;
  source?: string | undefined;
  db?: number | undefined;
  /** Of the attempts of a dense run only the first and the last, and `limit` counts those. */
  dense?: boolean | undefined;
  limit: number;
};

/** The bounded memory of events. */
export type EventHistory = {
  oldestSeq(): number;
  nextSeq(): number;
  count(): number;
  /** True once the cap has thrown something away. */
  isCapped(): boolean;
  /** Events with a higher seq, oldest first; `undefined` when some of them are no longer in memory. */
  after(seq: number, limit: number): LockEvent[] | undefined;
  /** Matching events. Without `after`, the newest `limit` of them. Oldest first always. */
  find(query: EventQuery): LockEvent[];
  /** The same, and whether there are more beyond `limit`, as far as that is known. */
  search(query: EventQuery): { events: LockEvent[]; isCut: boolean };
  /** The redacted Redis lines behind an event; undefined when it is not in memory. */
  signals(seq: number): Promise<readonly string[] | undefined>;
};
