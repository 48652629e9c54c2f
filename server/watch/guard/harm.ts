/** Our own output that may wait in Redis, whatever its limit is. */
const MOST_BUFFERED = 8 * 1024 * 1024;
/** Redis's output limit where it is unknown: the default for pub/sub clients. */
const USUAL_LIMIT = 32 * 1024 * 1024;
/** The line of a command that Redis has answered may be under way this long. */
const MOST_BEHIND_MS = 1500;
/** A PING may take this long, if it was fast before MONITOR. */
const MOST_PING_MS = 100;
const MOST_PING_FACTOR = 10;
/** A second cut within this time is harm, unless too little was written to fill a buffer. */
const CUTS_WITHIN_MS = 60_000;
const FEW_BYTES = 1024 * 1024;
/** A MONITOR line has its time, its client and quotes beside the command. */
const LINE_OVERHEAD = 60;

/** Bytes of our own output that may wait in Redis: a quarter of its limit, 8 MB at most. */
export function bufferBound(outputLimitBytes: number | null): number {
  return Math.min(MOST_BUFFERED, (outputLimitBytes || USUAL_LIMIT) / 4);
}

/** Why waiting output is harm, in a sentence; undefined while it is not. */
export function harmOfBuffer(bufferedBytes: number, outputLimitBytes: number | null): string | undefined {
  if (bufferedBytes <= bufferBound(outputLimitBytes)) return undefined;
  return `${megabytes(bufferedBytes)} MB of MONITOR output waited in Redis.`;
}

/** Why our delay is harm. `behindMs`: how long a line has been missing since Redis answered its command. */
export function harmOfDelay(behindMs: number): string | undefined {
  if (behindMs <= MOST_BEHIND_MS) return undefined;
  return `Lockscope was ${(behindMs / 1000).toFixed(1)} s behind Redis.`;
}

/** Why slow replies are harm by MONITOR: it is costly, and replies were fast before. Undefined if they are not. */
export function harmOfLatency(pingMs: number, pingBeforeMs: number | null, isCostly: boolean): string | undefined {
  if (!isCostly || pingBeforeMs === null) return undefined;
  if (pingMs <= Math.max(MOST_PING_MS, MOST_PING_FACTOR * pingBeforeMs)) return undefined;
  return `A PING took ${Math.round(pingMs)} ms, and ${Math.round(pingBeforeMs)} ms before MONITOR.`;
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

/** Why a cut is harm, in a sentence: the buffer was full, or it may have been full for the second time in a minute. */
export function harmOfCut(cut: Cut, outputLimitBytes: number | null): string | undefined {
  const written = cut.inputBytes + cut.commands * LINE_OVERHEAD;
  const limit = outputLimitBytes || USUAL_LIMIT;
  const hadPiledUp = cut.bufferedBytes > bufferBound(outputLimitBytes) / 2 || cut.behindMs > MOST_BEHIND_MS / 3;
  const isFull = cut.isLimitCounted ?? (hadPiledUp || written > limit / 2);
  if (isFull) {
    const what = cut.isLimitCounted
      ? 'Redis closed the MONITOR connection'
      : 'The MONITOR connection was cut, probably';
    return `${what} with a full output buffer${outputLimitBytes ? ` (limit ${megabytes(limit)} MB)` : ''}.`;
  }
  const isRepeated = cut.msSinceLast !== null && cut.msSinceLast < CUTS_WITHIN_MS && written > FEW_BYTES;
  return isRepeated ? 'The MONITOR connection was cut twice within a minute.' : undefined;
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 1024 / 1024);
}
