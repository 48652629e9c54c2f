import type { RedisTime } from '../../base/time.ts';

/** What a person wrote about a problem. */
export type NoteDetail = {
  readonly type: 'insight.noted';
  /** The id of the insight, as in `GET /api/insights`. */
  readonly insight: string;
  /** Empty: the problem was only acknowledged. */
  readonly text: string;
  readonly author?: string;
  /** A person has noted that they work on the problem. */
  readonly isAcknowledged: boolean;
};

/**
 * Verdicts: since when something was wrong, and until when. They are concluded from other events, which `because`
 * names.
 */
export type InsightDetail = {
  /**
   * `insight.closed` with `isUnknown`: whether the problem continues is no longer known, for example because the source
   * is no longer watched.
   */
  readonly type: 'insight.opened' | 'insight.closed';
  /** The id of the insight, as in `GET /api/insights`. */
  readonly insight: string;
  /** The id of the incident in the catalogue. */
  readonly incident: string;
  readonly severity: 'critical' | 'warning' | 'hint';
  readonly confidence: 'certain' | 'likely' | 'hint';
  readonly holders?: readonly string[];
  /** When the problem began; with `isAtLeast`, it began at this time or earlier, unseen. */
  readonly from?: RedisTime;
  readonly isAtLeast?: true;
  /** When the problem ended; absent: it continues, or its end is not known. */
  readonly to?: RedisTime;
  readonly isUnknown?: true;
};
