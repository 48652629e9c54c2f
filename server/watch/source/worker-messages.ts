import type { SlotRanges } from '../../../shared/base/key-slot.ts';
import type { RedisUrl } from '../../../shared/base/redis-url.ts';
import type { RedisTime } from '../../../shared/base/time.ts';
import type { LockEvent } from '../../../shared/events/event.ts';
import type { ObserveLevel, Source } from '../../../shared/wire/source.ts';
import type { Problem } from '../../redis/problem-type.ts';
import type { EvictedLock } from '../history/evicted-locks.ts';
import type { MemoryShares } from '../history/memory-shares.ts';
import type { UnreadLock } from '../reads/quarantine.ts';
import type { RecordingCut } from '../recording/recording-sink.ts';
import type { RecordedPost } from '../recording/source-recording.ts';
import type { LevelWish } from './level-switch.ts';
import type { SourceBeat } from './source-lag.ts';

/** What a source's worker is started with. */
export type SourceOptions = {
  readonly id: string;
  /** What people are shown of where it is: never credentials. */
  readonly shownUrl: string;
  readonly topology: 'single' | 'sentinel' | 'cluster';
  /** Null while nobody knows the master. */
  readonly place: Place | null;
  readonly level: ObserveLevel;
  /** False for a private server: MONITOR may take what it takes. */
  readonly hasBudget: boolean;
  readonly match: readonly string[];
  /** Whether everything recorded is wanted, and not only what is in memory. */
  readonly isRecorded: boolean;
  /** Keys that look like an application's own locks are shown. */
  readonly showsOwnLocks?: boolean;
  /** What recordings say they were made by. */
  readonly madeBy: string;
  /** An observer of this source ended before: since then there is a blind spot. */
  readonly blindFrom?: RedisTime;
  /** How much memory it may use. */
  readonly memory: MemoryShares;
};

/** The server that answers for a source. It has credentials, which never leave this process's memory. */
export type Place = {
  readonly server: RedisUrl;
  /** Servers that copy it, as `host:port`, where others tell of them. */
  readonly replicas: readonly string[];
  /** Cluster: the slots it serves. */
  readonly slots: SlotRanges;
};

export type ToWorker =
  | { readonly type: 'observe'; readonly request: number; readonly wish: LevelWish }
  /** Shows keys that look like an application's own locks as locks, or no longer. */
  | { readonly type: 'own-locks'; readonly request: number; readonly shown: boolean }
  | { readonly type: 'signals'; readonly request: number; readonly seq: number }
  | {
      readonly type: 'recording';
      readonly request: number;
      readonly from: number | undefined;
      readonly to: number | undefined;
    }
  /** Nothing waits for the answer to that request any longer. */
  | { readonly type: 'cancel'; readonly request: number }
  /** Another server answers from here on, or it serves other slots; `problem`: why nobody knows one. */
  | { readonly type: 'place'; readonly place: Place | null; readonly problem: Problem | null }
  /** What the observer asked for by `server` is done. */
  | { readonly type: 'server-ready' }
  /** From now on it may use this much memory. */
  | { readonly type: 'memory'; readonly memory: MemoryShares }
  /** Is to be answered at once. */
  | { readonly type: 'beat' }
  | { readonly type: 'stop' };

/** `seq`s count within the source; the process gives its own. */
export type FromWorker =
  | { readonly type: 'events'; readonly events: readonly LockEvent[] }
  /** Held locks were evicted, and nothing is known of them any longer. */
  | { readonly type: 'evicted'; readonly locks: readonly EvictedLock[] }
  | { readonly type: 'source'; readonly source: Source }
  /** Follows everything that was heard before it. */
  | { readonly type: 'source-beat'; readonly beat: SourceBeat }
  /** It is about to listen to this server: settings are to be made there now. */
  | { readonly type: 'server'; readonly server: RedisUrl }
  /** Every known lock that is too large to be read. */
  | { readonly type: 'unread'; readonly locks: readonly UnreadLock[] }
  | {
      readonly type: 'observed';
      readonly request: number;
      readonly problem: Problem | null;
    }
  | { readonly type: 'signals'; readonly request: number; readonly lines: readonly string[] | null }
  /** An answer could not be made. */
  | { readonly type: 'unanswered'; readonly request: number; readonly reason: string }
  | { readonly type: 'recorded'; readonly post: RecordedPost }
  | { readonly type: 'recording'; readonly request: number; readonly cut: RecordingCut | null }
  | { readonly type: 'beat' }
  | { readonly type: 'stopped' };
