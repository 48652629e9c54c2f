import { type Millis, millisBetween, type RedisTime } from '../../base/time.ts';
import type { LockEvent } from '../../events/event.ts';
import type { LockFacts, WaiterState } from '../lock-facts.ts';

/** The library that reports every failure as an unreached quorum. */
const LIBRARY = 'redlock';
/** Errors with the same cause are counted together if each follows the one before within this time. */
const PAUSE: Millis = 60_000;

/** Why a caller of node-redlock got an error about a quorum, which names no cause, or a lock that may be over. */
export type QuorumError = {
  /** The first of the errors with this cause that are counted together, and how many these are. */
  readonly since: RedisTime;
  readonly times: number;
  /** The newest error; the fields below are about it. */
  readonly at: RedisTime;
  readonly seq: number;
  readonly holder: string;
  /**
   * `held`: another token held the lock. `no-lock`: no known token held it. `late`: the caller acquired the lock, but
   * after more time than the lease lasts.
   */
  readonly cause: 'held' | 'no-lock' | 'late';
  /** The token that held the lock at the last refused attempt; null: none is known. */
  readonly heldBy: string | null;
  /** With the cause `late`: the length of the lease. */
  readonly leaseMs: Millis | null;
  readonly tries: number;
  /** The time from the caller's first attempt to its last one. */
  readonly tookMs: Millis;
};

/** Whether the library of an event reports no cause of a failure, so that its attempts are noted. */
export function reportsNoCause({ library }: LockEvent): boolean {
  return library === LIBRARY;
}

/**
 * Notes why a caller of node-redlock gets an error that does not name its cause. Locks of other libraries have no such
 * note.
 */
export function quorumErrorAfter(
  known: QuorumError | undefined,
  before: LockFacts,
  event: LockEvent,
): QuorumError | undefined {
  if (!reportsNoCause(event)) return known;
  if (event.type === 'waiter.dequeued') {
    const waiter = event.reason === 'gave-up' ? waiterIn(before, event.holder) : undefined;
    if (!waiter?.tried || waiter.group !== undefined) return known;
    const { at, heldBy } = waiter.tried;
    const tries = { tries: waiter.attempts, tookMs: millisBetween(waiter.since, at) };
    const cause = heldBy === null ? 'no-lock' : 'held';
    // the caller got the error after its last attempt; that it gave up is noticed seconds later
    return noted(known, { ...event, at }, { cause, heldBy, leaseMs: null, ...tries });
  }
  if (event.type === 'lock.acquired') {
    const waiter = waiterIn(before, event.holder);
    if (!waiter || event.leaseMs === undefined || event.group !== undefined) return known;
    const tookMs = millisBetween(waiter.since, event.at);
    if (tookMs < event.leaseMs) return known;
    const heldBy = waiter.tried?.heldBy ?? null;
    return noted(known, event, { cause: 'late', heldBy, leaseMs: event.leaseMs, tries: waiter.attempts + 1, tookMs });
  }
  return known;
}

function waiterIn({ waiters }: LockFacts, holder: string): WaiterState | undefined {
  return waiters.find(({ id }) => id === holder);
}

type CauseOfError = Pick<QuorumError, 'cause' | 'heldBy' | 'leaseMs' | 'tries' | 'tookMs'>;

/** Returns the newest error. If the error before it had the same cause, the two are counted together. */
function noted(
  known: QuorumError | undefined,
  { at, seq, holder }: Pick<LockEvent, 'at' | 'seq'> & { readonly holder: string },
  why: CauseOfError,
) {
  const isSame = known?.cause === why.cause && millisBetween(known.at, at) <= PAUSE;
  const first = isSame ? { since: known.since, times: known.times + 1 } : { since: at, times: 1 };
  return { ...why, ...first, at, seq, holder };
}
