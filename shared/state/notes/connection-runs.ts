import type { EventOf } from '../../events/event.ts';
import { KINDS } from '../../events/kinds/kinds.ts';
import { lockWith } from '../copies.ts';
import type { ConnectionRun, LockState } from '../lock-state.ts';
import { isDense } from './dense-attempts.ts';

/** How many connections are noted at one lock: those with the newest attempts. */
const MOST_RUNS = 8;

/** A shorter run may be chance, for example while a client starts. */
export const LONG_RUN = 2000;

/** Whether a connection asked that often without a pause. */
export function hasLongRun({ connectionRuns = [] }: Pick<LockState, 'connectionRuns'>): boolean {
  return connectionRuns.some(({ attempts }) => attempts >= LONG_RUN);
}

/**
 * Notes a refused attempt of a connection that has not slept. Some clients use a new token for each attempt, so no
 * waiter is seen to come back. An attempt of a waiter that polls with its old token is noted at that waiter (`run`).
 */
export function withConnectionRun(
  lock: LockState,
  event: EventOf<'lock.refused'> | EventOf<'permits.refused'>,
): LockState {
  const { by, at, seq, kind } = event;
  if (by === undefined || event.asleep || KINDS[kind].hasQueue || !isOfNewCaller(event)) return lock;
  const runs = lock.connectionRuns ?? [];
  const known = runs.find((run) => run.by === by);
  const isNext = known !== undefined && isDense(known.lastAt, at, 1);
  const run: ConnectionRun = isNext
    ? { ...known, attempts: known.attempts + 1, lastAt: at }
    : { by, since: at, seq, attempts: 1, lastAt: at };
  const others = runs.filter((each) => each !== known);
  return lockWith(lock, { connectionRuns: [...others.slice(1 - MOST_RUNS), run] });
}

function isOfNewCaller(event: EventOf<'lock.refused'> | EventOf<'permits.refused'>): boolean {
  if (event.type === 'permits.refused') return true;
  return event.reason === 'held' && (event.attempt === 1 || KINDS[event.kind].wakeUp !== 'polling');
}
