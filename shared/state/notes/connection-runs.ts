import type { RedisTime } from '../../base/time.ts';
import type { EventOf, LockEvent } from '../../events/event.ts';
import { KINDS } from '../../events/kinds/kinds.ts';
import { isDense } from './dense-attempts.ts';

/** How many connections are noted at one lock: those with the newest attempts. */
const MOST_RUNS = 8;

/** A shorter run may be chance, for example while a client starts. */
export const LONG_RUN = 2000;

/**
 * The newest refused attempts of one connection in quick succession, each as a new caller: from `since` to `lastAt`.
 */
export type ConnectionRun = {
  readonly by: string;
  readonly since: RedisTime;
  readonly seq: number;
  readonly attempts: number;
  readonly lastAt: RedisTime;
};

/** Whether a connection had `LONG_RUN` refused attempts or more without a pause. */
export function hasLongRun({ notes }: { readonly notes?: Note }): boolean {
  return notes?.connectionRuns?.some(({ attempts }) => attempts >= LONG_RUN) ?? false;
}
type Note = { readonly connectionRuns: readonly ConnectionRun[] | undefined };

/**
 * Notes a refused attempt of a connection that has not slept. Some clients use a new token for each attempt, so no
 * waiter is seen to come back. An attempt of a waiter that polls with its old token is noted at that waiter (`run`).
 */
export function connectionRunsAfter(
  runs: readonly ConnectionRun[] | undefined,
  event: LockEvent,
): readonly ConnectionRun[] | undefined {
  if (event.type !== 'lock.refused' && event.type !== 'permits.refused') return runs;
  const { by, at, seq, kind } = event;
  if (by === undefined || event.asleep || KINDS[kind].hasQueue || !isOfNewCaller(event)) return runs;
  const known = runs?.find((run) => run.by === by);
  const isNext = known !== undefined && isDense(known.lastAt, at, 1);
  const run: ConnectionRun = isNext
    ? { ...known, attempts: known.attempts + 1, lastAt: at }
    : { by, since: at, seq, attempts: 1, lastAt: at };
  const others = (runs ?? []).filter((each) => each !== known);
  return [...others.slice(1 - MOST_RUNS), run];
}

function isOfNewCaller(event: EventOf<'lock.refused'> | EventOf<'permits.refused'>): boolean {
  if (event.type === 'permits.refused') return true;
  return event.reason === 'held' && (event.attempt === 1 || KINDS[event.kind].wakeUp !== 'polling');
}
