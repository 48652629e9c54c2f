import { type Problem, problem } from '../../../shared/wire/problems/problem.ts';

/** At most this much of our own output may wait in Redis, however high Redis's limit is (bytes). */
const MOST_BUFFERED = 8 * 1024 * 1024;
/** The output limit that is assumed if Redis has none, or if it is unknown: the default for pub/sub clients. */
const USUAL_LIMIT = 32 * 1024 * 1024;
/** The MONITOR line of a command may be missing for this long after Redis answered the command. */
const MOST_BEHIND_MS = 1500;
/** A PING may take this long, or `MOST_PING_FACTOR` times as long as before MONITOR, whichever is longer. */
const MOST_PING_MS = 100;
const MOST_PING_FACTOR = 10;
/** A second cut within this time is harm, unless too little was written to fill a buffer. */
const CUTS_WITHIN_MS = 60_000;
const FEW_BYTES = 1024 * 1024;
/** Bytes of a MONITOR line in addition to its command: the time, the client and the quotes. */
const LINE_OVERHEAD = 60;

/** Bytes of our own output that may wait in Redis: a quarter of its limit, 8 MB at most. */
export function bufferBound(outputLimitBytes: number | null): number {
  return Math.min(MOST_BUFFERED, (outputLimitBytes || USUAL_LIMIT) / 4);
}

/** Why waiting output is harm; undefined while it is not. */
export function harmOfBuffer(bufferedBytes: number, outputLimitBytes: number | null): Problem | undefined {
  if (bufferedBytes <= bufferBound(outputLimitBytes)) return undefined;
  return problem('output-waited', { megabytes: megabytes(bufferedBytes) });
}

/** Why our delay is harm. `behindMs`: how long a line has been missing since Redis answered its command. */
export function harmOfDelay(behindMs: number): Problem | undefined {
  if (behindMs <= MOST_BEHIND_MS) return undefined;
  return problem('behind-redis', { behindMs: Math.round(behindMs) });
}

/** Why slow replies are harm: MONITOR is costly, and replies were fast before it. Undefined if they are not. */
export function harmOfLatency(pingMs: number, pingBeforeMs: number | null, isCostly: boolean): Problem | undefined {
  if (!isCostly || pingBeforeMs === null) return undefined;
  if (pingMs <= Math.max(MOST_PING_MS, MOST_PING_FACTOR * pingBeforeMs)) return undefined;
  return problem('slow-replies', { pingMs: Math.round(pingMs), beforeMs: Math.round(pingBeforeMs) });
}

/** What is known about a cut at level `monitor`, once Redis is reached again. */
export type Cut = {
  /** Time since the last cut at level `monitor`; null: this is the first one. */
  readonly msSinceLast: number | null;
  readonly bufferedBytes: number;
  readonly behindMs: number;
  /** Whether Redis counted a connection closed for its output limit; null: this version does not count. */
  readonly isLimitCounted: boolean | null;
  /** What clients sent to Redis between our last sample and now. */
  readonly inputBytes: number;
  readonly commands: number;
};

/** Why a cut is harm: the buffer was full, or probably full, or may have been full for the second time in a minute. */
export function harmOfCut(cut: Cut, outputLimitBytes: number | null): Problem | undefined {
  const written = cut.inputBytes + cut.commands * LINE_OVERHEAD;
  const limit = outputLimitBytes || USUAL_LIMIT;
  const hadAccumulated = cut.bufferedBytes > bufferBound(outputLimitBytes) / 2 || cut.behindMs > MOST_BEHIND_MS / 3;
  const isFull = cut.isLimitCounted ?? (hadAccumulated || written > limit / 2);
  if (isFull) {
    const limitMb = outputLimitBytes ? megabytes(limit) : null;
    return problem('buffer-full', { isCounted: cut.isLimitCounted === true, limitMb });
  }
  const isRepeated = cut.msSinceLast !== null && cut.msSinceLast < CUTS_WITHIN_MS && written > FEW_BYTES;
  return isRepeated ? problem('cut-twice') : undefined;
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 1024 / 1024);
}
