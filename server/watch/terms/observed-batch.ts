import type { LockEvent } from '../../../shared/events/event.ts';

/** Events that arrived together, the locks they changed, and whether the status of a source changed. */
export type ObservedBatch = {
  fromSeq: number;
  toSeq: number;
  events: readonly LockEvent[];
  /** Ids of locks whose view changed, by an event or by what CLIENT LIST reports about a holder. */
  changed: readonly string[];
  gone: readonly string[];
  sourcesChanged: boolean;
};
