/** Verdicts: from when to when something was wrong. They are concluded from other events, which `because` names. */
export type InsightDetail = {
  /**
   * `insight.closed` with `isUnknown`: it can no longer be known, for example because the source is not watched any more.
   */
  readonly type: 'insight.opened' | 'insight.closed';
  /** The id of the insight, as in `GET /api/insights`. */
  readonly insight: string;
  /** Which incident it is, by its id in the catalogue. */
  readonly incident: string;
  readonly severity: 'critical' | 'warning' | 'hint';
  readonly confidence: 'certain' | 'likely' | 'hint';
  readonly holders?: readonly string[];
  readonly isUnknown?: true;
};
