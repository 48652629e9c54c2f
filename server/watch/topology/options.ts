import type { RedisTime } from '../../../shared/base/time.ts';
import type { ObserveLevel, Source } from '../../../shared/wire/source.ts';
import type { Standing } from '../history/standing-lines.ts';
import type { OpenSink } from '../recording/recording-sink.ts';
import type { ObservedBatch } from '../terms/observed-batch.ts';

/** What is watched, and how. */
export type ObservatoryOptions = {
  readonly redisUrls: readonly string[];
  readonly level: ObserveLevel;
  /** The servers are private, like those of a demo: MONITOR needs no budget. */
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
  /** Keeps what happens beyond memory; absent: nothing is kept. */
  readonly keeper?: Keeper;
  /** False: no page requests the past, so little of it is kept in memory. */
  readonly isPastAsked?: boolean;
};

/** A server that is watched only for a while. */
export type ExtraSource = { readonly id: string; readonly url: string; readonly level: ObserveLevel };

/** Keeps what happens beyond the memory and the end of this process. No method throws. */
export type Keeper = {
  /** The `seq` of the first event of this process: it follows the events that are kept. */
  readonly nextEvent: number;
  /** Until when a source was watched before this process began; undefined: it was not. */
  watchedUntil(source: Pick<Source, 'id' | 'url'>): RedisTime | undefined;
  /** Is called once, before any event. */
  follow(stream: KeptStream): void;
};

/** What is kept: each batch as it happens, and the whole state from time to time. */
export type KeptStream = {
  onBatch(listener: (batch: ObservedBatch) => void): void;
  sources(): readonly Source[];
  /** The state after the newest event. */
  standing(): Standing;
  now(): RedisTime;
};
