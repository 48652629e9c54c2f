import type { SlotRanges } from '../../../shared/base/key-slot.ts';
import type { RedisUrl } from '../../../shared/base/redis-url.ts';
import type { RedisTime } from '../../../shared/base/time.ts';
import type { OwnLocksWish } from '../../../shared/events/apply/tokens/own-locks.ts';
import type { LockEvent } from '../../../shared/events/event.ts';
import type { NoteSignal } from '../../../shared/signals/signal.ts';
import type { Problem } from '../../../shared/wire/problems/problem.ts';
import type { ObserveLevel, Source } from '../../../shared/wire/source.ts';
import type { RecordingCut } from '../recording/recording-sink.ts';
import type { RecordedPost } from '../recording/source-recording.ts';
import type { EvictedLock } from '../terms/evicted-locks.ts';
import type { MemoryShares } from '../terms/memory-shares.ts';
import type { UnreadLock } from '../terms/quarantine.ts';
import type { LevelWish } from './level-switch.ts';
import type { SourceBeat } from './source-lag.ts';

/** The options that the observer of a source begins with. */
export type SourceOptions = {
  readonly id: string;
  /** The address that people are shown. It never has credentials. */
  readonly shownUrl: string;
  readonly topology: 'single' | 'sentinel' | 'cluster';
  /** Null while the master is unknown. */
  readonly place: Place | null;
  readonly level: ObserveLevel;
  /** False for a private server: MONITOR may cost any amount. */
  readonly hasBudget: boolean;
  readonly match: readonly string[];
  /** Whether every recorded line is posted, and not only kept in memory. */
  readonly isRecorded: boolean;
  /** What the user has decided about keys that look like an application's own locks, oldest first. */
  readonly ownLocks?: readonly OwnLocksWish[];
  /** The program and version that recordings name as their maker. */
  readonly madeBy: string;
  /**
   * The beginning of an open blind spot. Present if an earlier observer of this source, or an earlier Lockscope, has
   * ended.
   */
  readonly blindFrom?: RedisTime;
  /** By how much Redis's clock was behind the times of this source, in ms. */
  readonly clockBehindMs?: number;
  /** How much memory the source may use. */
  readonly memory: MemoryShares;
};

/** The server that answers for a source. It has credentials, which never leave this process's memory. */
export type Place = {
  readonly server: RedisUrl;
  /** The replicas of the server as `host:port`, if Sentinels or the cluster report them. */
  readonly replicas: readonly string[];
  /** The slots that the server serves in a cluster; otherwise empty. */
  readonly slots: SlotRanges;
};

/** A note without its instant, which is set when the note reaches the source. */
export type Note = Omit<NoteSignal, 'kind' | 'at'>;

export type ToWorker =
  | { readonly type: 'observe'; readonly request: number; readonly wish: LevelWish }
  /** What the user decides about keys that look like an application's own locks. */
  | { readonly type: 'own-locks'; readonly request: number; readonly wish: OwnLocksWish }
  /** Takes what a person wrote about a problem. */
  | { readonly type: 'note'; readonly request: number; readonly note: Note }
  | { readonly type: 'signals'; readonly request: number; readonly seq: number }
  | {
      readonly type: 'recording';
      readonly request: number;
      readonly from: number | undefined;
      readonly to: number | undefined;
    }
  /** The answer to that request is no longer needed. */
  | { readonly type: 'cancel'; readonly request: number }
  /** Another server is the master now, or it serves other slots. `problem`: why no master is known. */
  | { readonly type: 'place'; readonly place: Place | null; readonly problem: Problem | null }
  /** The main thread has done what the message `server` asked for. */
  | { readonly type: 'server-ready' }
  /** From now on the source may use this much memory. */
  | { readonly type: 'memory'; readonly memory: MemoryShares }
  | { readonly type: 'stop' };

/** Each `seq` counts within the source; the main thread renumbers the events. */
export type FromWorker =
  | { readonly type: 'events'; readonly events: readonly LockEvent[] }
  /** Held locks were evicted, and nothing is known about them any longer. */
  | { readonly type: 'evicted'; readonly locks: readonly EvictedLock[] }
  | { readonly type: 'source'; readonly source: Source }
  /** Sent after everything that was heard before it. */
  | { readonly type: 'source-beat'; readonly beat: SourceBeat }
  /** The worker is about to subscribe on this server: the main thread changes the server's settings now, if wanted. */
  | { readonly type: 'server'; readonly server: RedisUrl }
  /** Every known lock that is not read, or not completely. */
  | { readonly type: 'unread'; readonly locks: readonly UnreadLock[] }
  | {
      readonly type: 'observed';
      readonly request: number;
      readonly problem: Problem | null;
    }
  | { readonly type: 'signals'; readonly request: number; readonly lines: readonly string[] | null }
  /** The worker failed to answer a request. */
  | { readonly type: 'unanswered'; readonly request: number; readonly reason: string }
  | { readonly type: 'recorded'; readonly post: RecordedPost }
  | { readonly type: 'recording'; readonly request: number; readonly cut: RecordingCut | null }
  /** A fault ended this source; the others of its thread go on. */
  | { readonly type: 'failed'; readonly reason: string }
  | { readonly type: 'stopped' };
