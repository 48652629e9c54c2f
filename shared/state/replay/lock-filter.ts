import { isOfSource, type LockEvent } from '../../events/event.ts';
import type { LockState } from '../lock-state.ts';

/** The locks that are requested; a field that is left out matches all. */
export type LockFilter = {
  readonly lock?: string | undefined;
  readonly source?: string | undefined;
  readonly db?: number | undefined;
};

export function isWanted(lock: LockState, { lock: name, source, db }: LockFilter): boolean {
  if (name !== undefined && lock.name !== name) return false;
  return (source === undefined || lock.source === source) && (db === undefined || lock.db === db);
}

/** Whether an event is about the given lock, source and database. */
export function isAt(event: LockEvent, { lock, source, db }: LockFilter): boolean {
  if (lock !== undefined && (event.lock !== lock || isOfSource(event))) return false;
  if (source !== undefined && event.source !== source) return false;
  return db === undefined || event.db === db;
}

/** Whether an event is about a lock that matches the filter, or about its whole source. */
export function concerns(event: LockEvent, filter: LockFilter): boolean {
  if (isOfSource(event)) return filter.source === undefined || filter.source === event.source;
  return isAt(event, filter);
}
