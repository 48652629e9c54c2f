/** A heartbeat is sent to Redis this often. Between two of them, the lag is not measured. */
export const BEAT_EVERY_MS = 200;

/** How up to date an observer is, as it reports with each beat. */
export type SourceBeat = {
  /** How long Redis took to answer, and its line to arrive. */
  readonly lagMs: number;
  /** Everything that Redis did before this instant, a time of `monotonicMs`, has been reported. */
  readonly reportedUntil: number;
};

/**
 * How far behind Redis a source is, in ms, rounded up. It is calculated when it is asked for, so it includes time in
 * which nothing could be reported: the observer was busy, or this process was stopped.
 *
 *   beat sent ──► answered ──► all that was heard is read        now
 *       └ reportedUntil                                           │
 *       └──────────────────────── lag + 200 ms at most ───────────┘
 */
export function lagOf({ lagMs, reportedUntil }: SourceBeat, now: number): number {
  return Math.ceil(Math.max(lagMs, now - reportedUntil - BEAT_EVERY_MS));
}
