import { type Millis, millisBetween, plusMillis, type RedisTime, redisTime } from '../base/time.ts';
import { KINDS } from '../events/kinds/kinds.ts';
import { clientOf } from '../events/names/names.ts';
import { endsByItself } from '../state/hold-end.ts';
import type { HolderState, LockState, WaiterState } from '../state/lock-state.ts';
import type { CircleDoubt } from './english/contention.ts';
import { DEFAULT_WATCHDOG_MS } from './lease-renewal.ts';
import { watchdogOf } from './renewals.ts';
import { overdueSince } from './sleepers.ts';
import type { WaitStep } from './wait-circles.ts';

/**
 * A multi lock gives up after 1.5 s for each of its locks. So a circle with a multi lock of up to six locks has
 * ended by itself within this time.
 */
export const ROLLED_BACK_MS: Millis = 10_000;

/** One step of a circle with the wait, and the hold that it waits for. */
type CircleMember = WaitStep & {
  readonly lock: LockState;
  readonly wait: WaiterState;
  readonly hold: HolderState;
};

/** A circle, and how it may end. */
export type CircleFacts = {
  readonly members: readonly CircleMember[];
  /** When the last of these threads began to wait. */
  readonly from: RedisTime;
  /** That wait began at `from` or earlier, unseen. */
  readonly isAtLeast: boolean;
  /** When a watchdog would have renewed each of the locks twice since `from`. */
  readonly provenAt: RedisTime;
  /** The first end of a lease in the circle that no watchdog renews; null: none is known. */
  readonly leaseEndsAt: RedisTime | null;
  /**
   * A thread in the circle acquires a multi lock: it gives up after a time, releases what it holds, and begins again.
   */
  readonly isRolledBack: boolean;
  /** Threads of the circle that may no longer wait, although no command shows it. */
  readonly doubts: readonly CircleDoubt[];
  /**
   * The circle has several threads, and all of them acquire multi locks that released what they held and began again.
   */
  readonly isLivelock: boolean;
  /**
   * The hold to release: that of the thread which closed the circle, because it has done the least work under its hold.
   */
  readonly release: CircleMember;
};

/**
 * What is known about a circle; null if `locks` lack a lock, a wait or a hold of a step. `locks`: by the keys of steps.
 */
export function circleFacts(
  steps: readonly WaitStep[],
  locks: ReadonlyMap<string, LockState>,
  now: RedisTime,
): CircleFacts | null {
  const members: CircleMember[] = [];
  for (const step of steps) {
    const lock = locks.get(step.wants);
    const wait = lock?.waiters.find(({ id }) => id === step.holder);
    const hold = lock?.holders.find(({ id }) => id === step.heldBy);
    if (!lock || !wait || !hold) return null;
    members.push({ ...step, lock, wait, hold });
  }
  const [first] = members;
  if (!first) return null;
  const last = members.reduce((a, b) => (b.wait.since > a.wait.since ? b : a));
  const from = last.wait.since;
  const ends = members.map((member) => unrenewedEnd(member, now)).filter((end) => end !== null);
  return {
    members,
    from,
    isAtLeast: last.wait.isOlder === true,
    provenAt: plusMillis(from, Math.max(...members.map(timeOfTwoRenewals))),
    leaseEndsAt: ends.length === 0 ? null : redisTime(Math.min(...ends)),
    isRolledBack: members.some(({ wait }) => wait.group !== undefined),
    doubts: members.flatMap((member) => doubtsOf(member, now)),
    isLivelock: members.length > 1 && members.every(({ wait }) => wait.rounds !== undefined),
    release: members.find(({ heldBy }) => heldBy === last.holder) ?? first,
  };
}

/** The time in which a watchdog renews the lock twice. */
function timeOfTwoRenewals({ lock }: CircleMember): Millis {
  return (2 * (lock.leaseMs ?? DEFAULT_WATCHDOG_MS)) / 3;
}

/** Why it is not certain that a thread of a circle still waits. */
function doubtsOf({ lock, wait }: CircleMember, now: RedisTime): CircleDoubt[] {
  const { id: holder, attempts, since } = wait;
  const overdue = overdueSince(wait, lock, now);
  return [
    ...(overdue === undefined ? [] : [{ holder, why: 'overdue', at: overdue } as const]),
    ...(attempts === 1 ? [{ holder, why: 'assumed', at: since } as const] : []),
    ...(sharesListener(lock, wait) ? [{ holder, why: 'shared', at: since } as const] : []),
  ];
}

/** Whether the client may listen for another of its threads as well: then no command shows that this thread gave up. */
function sharesListener({ kind, waiters, waitersBeyond }: LockState, wait: WaiterState): boolean {
  if (KINDS[kind].wakeUp === 'own-channel') return false;
  const client = clientOf(wait.id);
  const isOther = ({ id, isConfirmed, presumedGoneAt }: WaiterState) =>
    id !== wait.id && isConfirmed && presumedGoneAt === null && clientOf(id) === client;
  return waitersBeyond > 0 || waiters.some(isOther);
}

/**
 * When the lease of a hold ends that no watchdog renews. Null: a watchdog, another holder or another process may
 * prolong the lease, or its end is past or not known.
 */
export function unrenewedEnd({ lock, hold }: Pick<CircleMember, 'lock' | 'hold'>, now: RedisTime): RedisTime | null {
  if (lock.holders.length + lock.holdersBeyond > 1 || watchdogOf(lock, hold, now) !== 'off') return null;
  const end = endsByItself(lock, hold);
  return end !== null && millisBetween(now, end) > 0 ? end : null;
}
