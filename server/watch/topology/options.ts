import type { ObserveLevel } from '../../../shared/wire/source.ts';
import type { OpenSink } from '../recording/recording-sink.ts';

/** What is watched, and how. */
export type ObservatoryOptions = {
  readonly redisUrls: readonly string[];
  readonly level: ObserveLevel;
  /** The servers are private, as a demo's: MONITOR needs no budget. */
  readonly isPrivate?: boolean;
  readonly match: readonly string[];
  readonly configureNotifications: boolean;
  /** How much memory the whole process may take, in bytes. */
  readonly memory?: number;
  /** The program and version that recordings name as their maker. */
  readonly madeBy: string;
  readonly log?: { warn(message: string): void };
  /** Opens the file that a source's recording is written to; absent: nothing is written. */
  readonly openSink?: OpenSink;
};

/** A server that is watched only for a while. */
export type ExtraSource = { readonly id: string; readonly url: string; readonly level: ObserveLevel };
