import type { RedisTime } from '../../base/time.ts';

/** What a person wrote about a problem. */
export type NoteDetail = {
  readonly type: 'insight.noted';
  /** The id of the insight, as in `GET /api/insights`. */
  readonly insight: string;
  /** Empty: it was only acknowledged. */
  readonly text: string;
  readonly author?: string;
  /** A person has noted that they work on the problem. */
  readonly isAcknowledged: boolean;
};

/** Verdicts: from when to when something was wrong. They are concluded from other events, which `because` names. */
export type InsightDetail = {
  /**
   * `insight.closed` with `isUnknown`: it can no longer be known, for example because the source is no longer watched.
   */
  readonly type: 'insight.opened' | 'insight.closed';
  /** The id of the insight, as in `GET /api/insights`. */
  readonly insight: string;
  /** Which incident it is, by its id in the catalogue. */
  readonly incident: string;
  readonly severity: 'critical' | 'warning' | 'hint';
  readonly confidence: 'certain' | 'likely' | 'hint';
  readonly holders?: readonly string[];
  /** When it began; with `isAtLeast`, it began then or earlier, unseen. */
  readonly from?: RedisTime;
  readonly isAtLeast?: true;
  /** When it ended. Absent: it is still open, or when it ended is not known. */
  readonly to?: RedisTime;
  readonly isUnknown?: true;
};
