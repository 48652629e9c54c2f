import type { RedisUrl } from '../../shared/base/redis-url.ts';
import type { RedisTime } from '../../shared/base/time.ts';
import type { OwnLocksWish } from '../../shared/events/apply/tokens/own-locks.ts';
import type { CostsAsked, CostsBody } from '../../shared/wire/costs.ts';
import type { Health } from '../../shared/wire/http.ts';
import type { LockHours, LockHoursAsked } from '../../shared/wire/lock-hours.ts';
import type { Problem } from '../../shared/wire/problems/problem.ts';
import type { Source } from '../../shared/wire/source.ts';
import type { Answers } from './answers/answers.ts';
import type { EventHistory } from './history/event-history.ts';
import type { MemoryUse } from './history/memory-use.ts';
import type { RecordingCut } from './recording/recording-sink.ts';
import type { LevelWish } from './source/level-switch.ts';
import type { Note } from './source/worker-messages.ts';
import type { ExtraSource } from './topology/options.ts';

/** The interface of `server/watch`: everything that `http` and `socket` show comes through it. */
export type Observatory = Answers & {
  sources(): Source[];
  /**
   * The present instant by the clock of a source: any later instant is in the future. Absent: that is `now`. In a
   * viewer, `now` stops while the observer of a source is silent, and this clock does not.
   */
  latest?(sourceId?: string): RedisTime;
  /**
   * The server that has the locks of a source, with its login; undefined: not known. Absent: there is no such server,
   * as for a recording or in a viewer.
   */
  serverOf?(source: string): RedisUrl | undefined;
  /** Why nothing can be changed and no server examined. Absent: a recording cannot, everything else can. */
  readonly refusal?: Problem;
  history: EventHistory;
  /** Switches a source's level. Rejects with an error like `ObserveRefusal` if that is not allowed or not possible. */
  observe(sourceId: string, wish: LevelWish): Promise<Source>;
  /** Applies what the user decides about keys that look like an application's own locks; rejects as `observe` does. */
  decideOwnLocks(sourceId: string, wish: OwnLocksWish): Promise<Source>;
  /**
   * Adds what a person wrote about a problem, as an event; rejects as `observe` does. Absent: nothing can be added, as
   * to a recording or in a viewer.
   */
  note?(sourceId: string, note: Note): Promise<void>;
  /**
   * The part of a range of time that is in memory, of one source, as a recording; `undefined` if none of it is. Without
   * `source`: of the first source.
   */
  recording(
    query: { source?: string | undefined; from?: number | undefined; to?: number | undefined },
    signal?: AbortSignal,
  ): Promise<RecordingCut | undefined>;
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
  /** What is kept beyond memory; absent: nothing is. */
  store?(): NonNullable<Health['store']>;
  /**
   * Costs of whole hours from the store, for more than an hour beyond memory; `undefined`: events show them exactly.
   */
  hourCosts?(query: CostsAsked): Promise<Omit<CostsBody, 'v' | 'readFrom'> | undefined>;
  /** The stored hours of locks with one name; absent: nothing is kept. */
  lockHours?(query: LockHoursAsked): Promise<LockHours>;
  /** Changes how much memory the whole process may take, in bytes, and evicts what exceeds it. */
  setMemory?(limit: number): void;
  start(): Promise<void>;
  /** Ends MONITOR, restores settings and closes connections. */
  stop(): Promise<void>;
};
