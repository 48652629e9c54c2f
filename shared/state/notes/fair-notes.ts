import { millisBetween } from '../../base/time.ts';
import type { EventOf } from '../../events/event.ts';
import { KINDS } from '../../events/kinds/kinds.ts';
import { waiterWith } from '../copies.ts';
import type { Evicted, WaiterState } from '../lock-state.ts';
import { isDense } from './dense-attempts.ts';

/** The eviction of a waiter that may still be alive. */
export function evictionBy({ at, seq, deadline, clockAheadMs }: EventOf<'waiter.dequeued'>): Evicted {
  const ahead = clockAheadMs === undefined ? undefined : { aheadMs: clockAheadMs };
  return { at, seq, deadline: deadline ?? null, ...ahead };
}

/** The notes about a waiter of a queue that remain after its next attempt. */
export function queueNotes(
  { evicted, undated, position }: WaiterState,
  { at, deadline }: EventOf<'lock.refused'>,
): Pick<WaiterState, 'evicted' | 'undated'> {
  return {
    ...(evicted && { evicted: { ...evicted, backAt: evicted.backAt ?? at } }),
    ...(undated && position !== null && deadline === undefined && { undated }),
  };
}

/**
 * Notes the event that first showed a waiter in the queue without a deadline; removes that note if it has a deadline.
 */
export function withUndated(waiter: WaiterState, { at, seq, deadline }: EventOf<'waiter.queued'>): WaiterState {
  if (deadline === null) return waiter.undated ? waiter : waiterWith(waiter, { undated: { at, seq } });
  return waiter.undated ? waiterWith(waiter, { undated: undefined }) : waiter;
}

/** The run of attempts of a waiter that does not sleep, because it polls, or because a free fair lock refuses it. */
export function runOf(
  known: WaiterState | undefined,
  { at, seq, kind, attempt, reason, asleep }: EventOf<'lock.refused'>,
): Pick<WaiterState, 'run'> | undefined {
  const isPolled = reason === 'held' && KINDS[kind].wakeUp === 'polling';
  if ((reason !== 'not-head' && !isPolled) || asleep) return undefined;
  const before = known?.run;
  const steps = attempt - (known?.attempts ?? attempt);
  if (before && steps > 0 && isDense(before.lastAt, at, steps)) return { run: { ...before, lastAt: at } };
  return { run: { since: at, seq, firstAttempt: attempt, lastAt: at } };
}

/** How many attempts a second a run has. */
export function attemptsPerSecond({ run, attempts }: WaiterState): number {
  if (!run || run.lastAt <= run.since) return 0;
  return ((attempts - run.firstAttempt) * 1000) / millisBetween(run.since, run.lastAt);
}
