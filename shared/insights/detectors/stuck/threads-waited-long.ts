import { type Millis, millisBetween, plusMillis, type RedisTime, redisTime } from '../../../base/time.ts';
import { isTokenKind, KINDS } from '../../../events/kinds/kinds.ts';
import { clientOf } from '../../../events/names/names.ts';
import { endsByItself } from '../../../state/hold-end.ts';
import type { HolderState, LockState, WaiterState } from '../../../state/lock-state.ts';
import { usualHold } from '../../../state/notes/usual-holds.ts';
import { clientOfHold } from '../../client-sight.ts';
import { isDeadWaiter } from '../../dead-waiters.ts';
import type { LockDetector, LockSight, SourceSight } from '../../detector.ts';
import type { FindingOf, Severity } from '../../insight.ts';
import { isShutFromBefore } from '../../lacks.ts';
import { DEFAULT_WATCHDOG_MS } from '../../lease-renewal.ts';
import { isOverdue } from '../../sleepers.ts';
import { isOfPause } from '../../standstills.ts';

type Incident = 'threads-waited-long';

/** No wait is long before this time. */
const SHORTEST: Millis = 60_000;
/** A wait is long if it lasts this many times as long as a usual hold of the lock. */
const USUAL_HOLDS = 20;
/** If too few holds of the lock were seen, a wait is long after this many leases. */
const LEASES = 2;
/** With this many waiters, or a wait of this length, the problem may be critical: see `severityOf`. */
const MANY_WAITERS = 5;
const VERY_LONG: Millis = 300_000;

/**
 * Threads wait far longer than this lock is usually held, and in all that time it was not handed over. The cause does
 * not matter: the holder may have forgotten to unlock, or still work, or it was not seen. Nothing is reported while the
 * client of a holder is gone (`holder-crashed-wait-ttl`, `orphan-job-lock`).
 */
export const threadsWaitedLong: LockDetector<Incident> = {
  incident: 'threads-waited-long',
  effect: 'stuck',
  of: 'lock',
  withoutCommands: 'hint',
  levels: ['monitor', 'replication', 'events'],
  needs: ['listeners'],
  isOnlyWithoutOther: true,
  concerns: (lock) =>
    (lock.holders.length > 0 || lock.holderUnseen !== undefined || isShutFromBefore(lock)) &&
    (lock.waiters.length > 0 || lock.listenedSince !== undefined),
  detect(sight) {
    const { lock, watched, hasCome } = sight;
    const [holder] = lock.holders;
    // after this time, the page shows how long the waiters have waited at least
    if (isShutFromBefore(lock))
      return hasCome(plusMillis(watched.watchedSince, DEFAULT_WATCHDOG_MS)) ? [] : 'blind-spot';
    if (
      !(holder || lock.holderUnseen) ||
      hasLeader(lock) ||
      lock.holders.some((each) => presenceOf(sight, each) === 'gone')
    )
      return [];
    const wait = waitOf(sight) ?? listenersOf(sight);
    if (!wait) return [];
    const longMs = longWait(lock);
    const began = beganBy(wait, sight);
    const isFromBefore = isOlder(wait, watched) && lock.holders.every(({ since }) => since === null);
    const stillSince = redisTime(Math.max(began, lastChangeOf(lock)));
    // if the wait and the hold both began before they were seen, the wait may be long already
    if (!hasCome(plusMillis(stillSince, longMs))) return isFromBefore ? 'blind-spot' : [];
    // in a blind spot the lock may have been handed over
    if (!hasCome(plusMillis(watched.watchedSince, longMs)))
      return watched.watchedSince > stillSince ? 'blind-spot' : [];
    const from = plusMillis(stillSince, longMs);
    return isOfPause(sight, from) ? [] : [findingOf(sight, holder, wait, from)];
  },
};

/** Whether the waiters may have waited unseen before. A waiter without an attempt was found by a read of the queue. */
function isOlder({ areListeners, oldest, since }: Wait, { watchedSince }: SourceSight): boolean {
  return areListeners || oldest?.isOlder === true || oldest?.attempts === 0 || watchedSince > since;
}

/**
 * When the oldest wait had begun, at the latest. If its thread was asleep when first seen, its client listened before.
 */
function beganBy({ oldest, since }: Wait, sight: LockSight): RedisTime {
  return oldest?.isOlder ? redisTime(Math.min(since, listenersOf(sight)?.since ?? since)) : since;
}

/**
 * Whether a client seems to lead and the others only ask whether they may lead: the lock has a token whose lease was
 * renewed, and too few of its holds were released to know their usual length.
 */
function hasLeader(lock: LockState): boolean {
  return isTokenKind(lock.kind) && lock.holders.some(({ renewals }) => renewals > 0) && !usualHold(lock);
}

/** The waiters: threads, or connections that listen where threads are not visible. */
type Wait = Pick<FindingOf<Incident>['values'], 'waiting' | 'areListeners'> & {
  readonly since: RedisTime;
  readonly oldest: WaiterState | null;
};

function waitOf(sight: LockSight): Wait | null {
  const { lock } = sight;
  const waiters = lock.waiters.filter((waiter) => isWaiting(waiter, sight));
  const [oldest] = waiters.toSorted((a, b) => a.since - b.since);
  return oldest
    ? { waiting: waiters.length + lock.waitersBeyond, areListeners: false, since: oldest.since, oldest }
    : null;
}

/**
 * The connections that listen, instead of waiters. With commands, they matter only if the lock was held before watching
 * began: threads that slept already then are not known until their own timers wake them, which may be minutes later.
 */
function listenersOf({ lock, watched }: LockSight): Wait | null {
  const { subscribers, listenedSince, holders } = lock;
  if (!subscribers || listenedSince === undefined) return null;
  if (watched.level === 'monitor' && holders.some(({ since }) => since !== null)) return null;
  return { waiting: subscribers, areListeners: true, since: listenedSince, oldest: null };
}

/** Whether a waiter counts. A waiter that did not attempt again when it should have may be gone, and does not. */
function isWaiting(waiter: WaiterState, sight: LockSight): boolean {
  const { id, isConfirmed, mode } = waiter;
  if (!isConfirmed || mode === 'latch') return false;
  return !isDeadWaiter(waiter, sight.clientOf(clientOf(id)).presence) && !isOverdue(waiter, sight);
}

function presenceOf({ clientOf: sightOf }: LockSight, holder: HolderState) {
  return sightOf(clientOfHold(holder, sightOf)).presence;
}

/** When the lock, or one of its permits, was last seen to get a holder; 0: that was not seen. */
function lastChangeOf({ holders, handovers, holderUnseen }: LockState): number {
  return Math.max(handovers?.at ?? 0, holderUnseen?.at ?? 0, ...holders.map(({ since }) => since ?? 0));
}

function longWait(lock: LockState): Millis {
  const usual = usualHold(lock);
  return Math.max(SHORTEST, usual ? USUAL_HOLDS * usual.ms : LEASES * (lock.leaseMs ?? DEFAULT_WATCHDOG_MS));
}

function findingOf(
  sight: LockSight,
  holder: HolderState | undefined,
  wait: Wait,
  from: RedisTime,
): FindingOf<Incident> {
  const { lock, lockId, now, watched } = sight;
  const { since, oldest, waiting, areListeners } = wait;
  // only the queue shows these waiters: they may be dead, and stay in it until they are evicted
  const areQueued = oldest?.position != null && (watched.level !== 'monitor' || oldest.attempts === 0);
  const usual = usualHold(lock);
  const isRenewed = holder !== undefined && holder.renewals > 0;
  const isAtLeast = isOlder(wait, watched);
  return {
    incident: 'threads-waited-long',
    severity: severityOf(lock, waiting, millisBetween(since, now)),
    confidence: areListeners || areQueued ? 'hint' : usual ? 'certain' : 'likely',
    lockId,
    holders: holder ? [holder.id] : [],
    from,
    ...(isAtLeast && lastChangeOf(lock) < since ? { isAtLeast } : undefined),
    to: null,
    selfHealsAt: !holder || isRenewed ? null : endsByItself(lock, holder),
    events: [
      ...(holder?.firstSeq === undefined ? [] : [holder.firstSeq]),
      ...(oldest?.firstSeq === undefined ? [] : [oldest.firstSeq]),
    ],
    values: {
      holder: holder?.id ?? null,
      refusedAt: lock.holderUnseen?.lastAt ?? null,
      isPermit: KINDS[lock.kind].counts === 'permit',
      hasPermitId: KINDS[lock.kind].hasPermitIds === true,
      heldSince: holder?.since ?? null,
      others: Math.max(0, lock.holders.length - 1 + lock.holdersBeyond),
      isConnected: holder !== undefined && presenceOf(sight, holder) === 'connected',
      isRenewed,
      waiting,
      areListeners,
      areQueued,
      waitedMs: millisBetween(since, now),
      isAtLeast,
      usualMs: usual?.ms ?? null,
      holds: usual?.holds ?? 0,
    },
  };
}

function severityOf(lock: LockState, waiting: number, waitedMs: Millis): Severity {
  if (usualHold(lock)) return waiting >= MANY_WAITERS || waitedMs >= VERY_LONG ? 'critical' : 'warning';
  return waiting >= MANY_WAITERS && !mayBeCandidates(lock) ? 'critical' : 'warning';
}

/** Whether the waiters may be candidates for a leader, which wait for their turn: no client has two of them. */
function mayBeCandidates({ waiters }: LockState): boolean {
  const waiting = waiters.filter(({ isConfirmed }) => isConfirmed).map(({ id }) => clientOf(id));
  return new Set(waiting).size === waiting.length;
}
