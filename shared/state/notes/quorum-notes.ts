import { type Millis, millisBetween } from '../../base/time.ts';
import type { LockEvent } from '../../events/event.ts';
import { lockWith, waiterWith } from '../copies.ts';
import type { LockState, QuorumError, WaiterState } from '../lock-state.ts';

/** The library that reports every failure as an unreached quorum. */
const LIBRARY = 'redlock';
/** Failures are counted together until none follows for this long. */
const PAUSE_MS: Millis = 60_000;

/** Notes why a caller of node-redlock gets an error that does not name its cause. Other locks have no such notes. */
export function withQuorumErrors(before: LockState, after: LockState, event: LockEvent): LockState {
  if (event.library !== LIBRARY) return after;
  switch (event.type) {
    case 'lock.refused': {
      const tried = { at: event.at, heldBy: before.holders[0]?.id ?? null };
      return lockWith(after, {
        waiters: after.waiters.map((each) => (each.id === event.holder ? waiterWith(each, { tried }) : each)),
      });
    }
    case 'waiter.dequeued': {
      const waiter = event.reason === 'gave-up' ? waiterIn(before, event.holder) : undefined;
      if (!waiter?.tried || waiter.group !== undefined) return after;
      const { at, heldBy } = waiter.tried;
      const tries = { tries: waiter.attempts, tookMs: millisBetween(waiter.since, at) };
      return noted(after, event, { cause: heldBy === null ? 'no-lock' : 'held', heldBy, leaseMs: null, ...tries });
    }
    case 'lock.acquired': {
      const waiter = waiterIn(before, event.holder);
      if (!waiter || event.leaseMs === undefined) return after;
      const tookMs = millisBetween(waiter.since, event.at);
      if (tookMs < event.leaseMs) return after;
      const heldBy = waiter.tried?.heldBy ?? null;
      return noted(after, event, { cause: 'late', heldBy, leaseMs: event.leaseMs, tries: waiter.attempts + 1, tookMs });
    }
    default:
      return after;
  }
}

function waiterIn({ waiters }: LockState, holder: string): WaiterState | undefined {
  return waiters.find(({ id }) => id === holder);
}

type Why = Pick<QuorumError, 'cause' | 'heldBy' | 'leaseMs' | 'tries' | 'tookMs'>;

/** The newest error is kept, with the number of those with the same cause. */
function noted(lock: LockState, event: LockEvent & { readonly holder: string }, why: Why): LockState {
  const { at, seq, holder } = event;
  const known = lock.quorumError;
  const isSame = known?.cause === why.cause && millisBetween(known.at, at) <= PAUSE_MS;
  const first = isSame ? { since: known.since, times: known.times + 1 } : { since: at, times: 1 };
  return lockWith(lock, { quorumError: { ...why, ...first, at, seq, holder } });
}
