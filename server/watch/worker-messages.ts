import type { SlotRanges } from '../../shared/base/key-slot.ts';
import type { RedisUrl } from '../../shared/base/redis-url.ts';
import type { LockEvent } from '../../shared/events/event.ts';
import type { ObserveLevel, Source } from '../../shared/wire/source.ts';
import type { Problem } from '../redis/problem.ts';
import type { RecordingCut } from './recording-sink.ts';
import type { RecordedPost } from './source-recording.ts';

/** What a source's worker is started with. */
export type SourceOptions = {
  readonly id: string;
  /** What people are shown of where it is: never credentials. */
  readonly shownUrl: string;
  readonly topology: 'single' | 'sentinel' | 'cluster';
  /** Null while nobody knows the master. */
  readonly place: Place | null;
  readonly level: ObserveLevel;
  readonly match: readonly string[];
  readonly configureNotifications: boolean;
  /** Whether everything recorded is wanted, and not only what is in memory. */
  readonly isRecorded: boolean;
  /** What recordings say they were made by. */
  readonly madeBy: string;
};

/** The server that answers for a source. It has credentials, which never leave this process's memory. */
export type Place = {
  readonly server: RedisUrl;
  /** Servers that copy it, as `host:port`, where others tell of them. */
  readonly replicas: readonly string[];
  /** Cluster: the slots it serves. */
  readonly slots: SlotRanges;
};

/** Name and liveness of one client (uuid), from CLIENT LIST. */
export type Presence = {
  readonly client: string;
  readonly name: string | null;
  readonly presence: 'connected' | 'idle' | 'gone' | 'unknown';
};

export type ToWorker =
  | { readonly type: 'observe'; readonly request: number; readonly level: ObserveLevel; readonly forMs: number | null }
  | { readonly type: 'signals'; readonly request: number; readonly seq: number }
  | {
      readonly type: 'recording';
      readonly request: number;
      readonly from: number | undefined;
      readonly to: number | undefined;
    }
  /** Another server answers from here on, or it serves other slots; `problem`: why nobody knows one. */
  | { readonly type: 'place'; readonly place: Place | null; readonly problem: Problem | null }
  | { readonly type: 'stop' };

/** `seq`s count within the source; the process gives its own. */
export type FromWorker =
  | { readonly type: 'events'; readonly events: readonly LockEvent[] }
  | { readonly type: 'source'; readonly source: Source }
  | { readonly type: 'presence'; readonly presence: readonly Presence[] }
  | {
      readonly type: 'observed';
      readonly request: number;
      readonly problem: { code: string; message: string; hint: string } | null;
    }
  | { readonly type: 'signals'; readonly request: number; readonly lines: readonly string[] | null }
  | { readonly type: 'recorded'; readonly post: RecordedPost }
  | { readonly type: 'recording'; readonly request: number; readonly cut: RecordingCut | null }
  | { readonly type: 'stopped' };
