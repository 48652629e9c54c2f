import type { LockEvent } from '../../events/event.ts';
import { holderWith, lockWith, waiterWith } from '../copies.ts';
import type { FirstReported, LockState } from '../lock-state.ts';

/**
 * Adds to each new hold and wait the event that first showed it. The `seq` of that event identifies the hold or wait in
 * every view. Its time is the earliest known instant of a hold whose beginning was not seen.
 */
export function withFirstReported(before: LockState, after: LockState, event: LockEvent): LockState {
  const holders =
    before.holders === after.holders ? after.holders : withFirstReportOf(after.holders, event, holderWith);
  const waiters =
    before.waiters === after.waiters ? after.waiters : withFirstReportOf(after.waiters, event, waiterWith);
  return holders === after.holders && waiters === after.waiters ? after : lockWith(after, { holders, waiters });
}

function withFirstReportOf<T extends FirstReported>(
  all: readonly T[],
  { seq, at }: LockEvent,
  withFirst: (each: T, first: FirstReported) => T,
): readonly T[] {
  if (all.every(({ firstSeq }) => firstSeq !== undefined)) return all;
  return all.map((each) => (each.firstSeq === undefined ? withFirst(each, { firstSeq: seq, firstAt: at }) : each));
}
