import { type Millis, millisBetween, plusMillis, type RedisTime } from '../../base/time.ts';
import type { EventOf, LockEvent } from '../../events/event.ts';
import { KINDS } from '../../events/kinds/kinds.ts';
import { lockWith, waiterWith } from '../copies.ts';
import type { ClockAhead, Evicted, LockState, WaiterState } from '../lock-state.ts';
import { isDense } from './dense-attempts.ts';

/** Clocks that differ by less do no harm: deadlines are seconds or minutes away. */
const FAR_AHEAD: Millis = 5000;
/** A client that has not been seen with such a clock for this long is forgotten. */
const FORGOTTEN: Millis = 10 * 60_000;
/** How many clients with such a clock are noted at one lock. */
const MOST_AHEAD = 5;

/** The eviction of a waiter that may still be alive. */
export function evictionBy({ at, seq, deadline, clockAheadMs }: EventOf<'waiter.dequeued'>): Evicted {
  const ahead = clockAheadMs === undefined ? undefined : { aheadMs: clockAheadMs };
  return { at, seq, deadline: deadline ?? null, ...ahead };
}

/** What is noted about a waiter of a queue and stays with its next attempt. */
export function queueNotes(
  { evicted, undated, position }: WaiterState,
  { at, deadline }: EventOf<'lock.refused'>,
): Pick<WaiterState, 'evicted' | 'undated'> {
  return {
    ...(evicted && { evicted: { ...evicted, backAt: evicted.backAt ?? at } }),
    ...(undated && position !== null && deadline === undefined && { undated }),
  };
}

/** Notes since when a waiter is in the queue without a deadline; forgets it if the waiter has one. */
export function withUndated(waiter: WaiterState, { at, seq, deadline }: EventOf<'waiter.queued'>): WaiterState {
  if (deadline === null) return waiter.undated ? waiter : waiterWith(waiter, { undated: { at, seq } });
  return waiter.undated ? waiterWith(waiter, { undated: undefined }) : waiter;
}

/** The run of attempts of a waiter that does not sleep: of a fair lock that is free, or of a lock that is polled. */
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

/** Notes clients of a fair lock whose clock is far ahead of Redis's, and the waiters that they evict too early. */
export function withAheads(lock: LockState, event: LockEvent): LockState {
  const { by, at } = event;
  if (!KINDS[event.kind].hasQueue || by === undefined) return lock;
  const known = lock.aheads?.find((each) => each.by === by || isOfHolder(each, event));
  const aheadMs = 'clockAheadMs' in event ? (event.clockAheadMs ?? 0) : 0;
  if (aheadMs < FAR_AHEAD)
    return known && isTimed(event) ? withAhead(lock, known, undefined) : withHolderOf(lock, known, event);
  const isEarly = event.type === 'waiter.dequeued' && event.deadline !== undefined && event.deadline > at;
  const next: ClockAhead = {
    by,
    holder: known?.holder ?? holderIn(event),
    aheadMs,
    since: known?.since ?? at,
    seq: known?.seq ?? event.seq,
    lastAt: at,
    evicted: (known?.evicted ?? 0) + (isEarly ? 1 : 0),
    victim: isEarly ? event.holder : (known?.victim ?? null),
  };
  return withAhead(lock, known, next);
}

/** An attempt shows the client's clock, so one without a difference shows that it agrees now. */
function isTimed({ type }: LockEvent): boolean {
  return type === 'lock.refused' || type === 'lock.acquired';
}

function isOfHolder({ holder }: ClockAhead, event: LockEvent): boolean {
  return holder !== null && holder === holderIn(event);
}

/** The thread that ran the script; null: the event names another one. */
function holderIn(event: LockEvent): string | null {
  const isOwn = isTimed(event) || event.type === 'lock.released';
  return isOwn && 'holder' in event ? (event.holder ?? null) : null;
}

function withHolderOf(lock: LockState, known: ClockAhead | undefined, event: LockEvent): LockState {
  const holder = holderIn(event);
  return known && known.holder === null && holder !== null ? withAhead(lock, known, { ...known, holder }) : lock;
}

function withAhead(lock: LockState, before: ClockAhead | undefined, after: ClockAhead | undefined): LockState {
  const at = after?.lastAt;
  const others = (lock.aheads ?? []).filter(
    (each) => each !== before && (at === undefined || plusMillis(each.lastAt, FORGOTTEN) > at),
  );
  const aheads = after ? [...others, after].slice(-MOST_AHEAD) : others;
  if (aheads.length > 0) return lockWith(lock, { aheads });
  return lock.aheads ? lockWith(lock, { aheads: undefined }) : lock;
}

/** How many attempts a second a run has. */
export function attemptsPerSecond({ run, attempts }: WaiterState): number {
  if (!run || run.lastAt <= run.since) return 0;
  return ((attempts - run.firstAttempt) * 1000) / millisBetween(run.since, run.lastAt);
}

/** Up to 3.11.0 the deadline of each waiter is 5 s after that of the waiter before it, and an acquisition does not move them. */
const OLD_BUDGET: Millis = 5000;
/** A deadline may be a few budgets late: waiters give up, and holds are shorter than their leases. */
const DRIFT: Millis = 30_000;

/** By how much a deadline in an old queue is later than the lease and the waiters before it explain. */
export function driftOf(
  { expiresAt }: LockState,
  { position, deadline }: Pick<WaiterState, 'position' | 'deadline'>,
  now: RedisTime,
): Millis {
  if (position === null || deadline === null) return 0;
  const lease = expiresAt === null ? 0 : Math.max(0, millisBetween(now, expiresAt));
  return millisBetween(now, deadline) - lease - position * OLD_BUDGET;
}

/** Notes since when waiters enter an old queue with deadlines that are far too late. */
export function withDrift(lock: LockState, event: LockEvent): LockState {
  if (event.type !== 'waiter.queued' || !isOldQueue(lock)) return lock;
  const isLate = driftOf(lock, event, event.at) > DRIFT;
  if (isLate) return lock.drift ? lock : lockWith(lock, { drift: { at: event.at, seq: event.seq } });
  return lock.drift ? lockWith(lock, { drift: undefined }) : lock;
}

/** Whether the client is known to be Redisson 3.11.0 or older. */
function isOldQueue({ clientVersion }: LockState): boolean {
  const newest = clientVersion?.split('–').at(-1);
  const [major = 9, minor = 0, patch = 0] = newest?.split('.').map(Number) ?? [];
  return major < 3 || (major === 3 && (minor < 11 || (minor === 11 && patch === 0)));
}
