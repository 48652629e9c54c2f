import type { LockEvent } from '../../../shared/events/event.ts';

/** Events that arrived together, the locks they changed, and whether the status of a source changed. */
export type ObservedBatch = {
  fromSeq: number;
  toSeq: number;
  events: readonly LockEvent[];
  /**
   * Ids of locks that are shown differently: because of an event or of what CLIENT LIST reports about a holder, because
   * their source is watched or not, or because they can be read or not.
   */
  changed: readonly string[];
  /** Ids of locks that were dropped from memory. */
  gone: readonly string[];
  sourcesChanged: boolean;
};
