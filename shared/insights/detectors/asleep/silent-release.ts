import { type Millis, plusMillis, type RedisTime, redisTime } from '../../../base/time.ts';
import { KINDS } from '../../../events/kinds/kinds.ts';
import type { LockState, WaiterState } from '../../../state/lock-state.ts';
import type { LockDetector, LockSight } from '../../detector.ts';
import type { AsleepValues } from '../../english/asleep.ts';
import type { FindingOf } from '../../insight.ts';
import { isFreeFromBefore } from '../../lacks.ts';
import { aboutSleepers, SILENT_ENDS, sleepersOf, timerOf, wakeChannel } from '../../sleepers.ts';
import { isOfPause } from '../../standstills.ts';
import { isLostLatch, lostLatch } from './lost-latch.ts';

type FreedBy = AsleepValues['silent-release']['by'];

/** How long ago a latch may have lost its key: its events are looked at for this long. */
const WITHIN: Millis = 10 * 60_000;
/** A waiter whose timer ended with the lease, or that a late message woke, has attempted within this time. */
const SILENT: Millis = 1000;
/** After a blind spot: a client whose connection was cut has subscribed again by then, and attempts at once. */
const SILENT_AFTER_BLIND_SPOT: Millis = 5000;

/**
 * A lock can be acquired, but no message was sent. For example, its key expired, was deleted or evicted, or a writer
 * went on as a reader. The waiters attempt again only when their own timers end. Waiters without a timer are reported
 * by `waiter-asleep-without-limit`.
 *
 * Without commands, only the number of listeners shows waiters. They sleep until the lease would have ended, at the
 * latest. A latch without its key is open: `lost-latch.ts`.
 */
export const silentRelease: LockDetector<'silent-release'> = {
  incident: 'silent-release',
  effect: 'stuck',
  of: 'lock',
  withoutCommands: 'hint',
  levels: ['monitor', 'replication', 'events'],
  needs: ['presence'],
  wants: {
    types: ['lock.deleted', 'lock.evicted', 'db.flushed', 'latch.deleted', 'lease.expired'],
    beside: ['wakeup.published'],
    withinMs: WITHIN,
  },
  concerns: (lock) =>
    lock.freed !== undefined || lock.downgraded !== undefined || isLostLatch(lock) || isFreeFromBefore(lock),
  detect(sight) {
    const { lock, lockId, watched } = sight;
    if (isFreeFromBefore(lock)) return 'blind-spot';
    if (isLostLatch(lock)) return lostLatch(sight);
    const end = endOf(lock);
    if (!end) return [];
    const { by } = end;
    // after a blind spot, only a subscription shows that a waiter still sleeps
    const isUnseen = by === 'unseen';
    const isShown = isUnseen
      ? watched.level === 'monitor' && (lock.subscribers ?? 0) > 0
      : watched.watchedSince <= end.at;
    if (!isShown) return 'blind-spot';
    const since = redisTime(Math.max(end.at, watched.watchedSince));
    if (!sight.hasCome(plusMillis(since, isUnseen ? SILENT_AFTER_BLIND_SPOT : SILENT))) return [];
    if (watched.level !== 'monitor') return findingOfListeners(sight, by);
    const { alive, isUnknown } = sleepersOf(sight, (waiter) => isLeftAsleep(waiter, sight, by, end.at));
    const about = aboutSleepers(lock, alive);
    if (!about) return isUnknown ? 'presence' : findingOfListeners(sight, by);
    if (isUnseen && isOfPause(sight, since)) return [];
    return [
      {
        incident: 'silent-release',
        severity: 'warning',
        confidence: isUnseen ? 'likely' : 'certain',
        lockId,
        holders: about.holders,
        from: end.at,
        to: null,
        selfHealsAt: about.values.until,
        events: [end.seq],
        values: { ...about.values, at: end.at, by, isLatch: false },
      },
    ];
  },
};

/**
 * The finding about waiters that only listeners show: connections listen on the channel of a lock whose key was
 * removed. Without commands, nothing else of the waiters is seen. With commands, that applies to waiters that fell
 * asleep before watching began.
 */
function findingOfListeners({ lock, lockId, hasCome }: LockSight, by: FreedBy): FindingOf<'silent-release'>[] {
  const { freed, subscribers, kind, waiters } = lock;
  const until = freed?.leaseEnd ?? null;
  // after an expiry, the timers of the waiters have ended too; the waiters of a fair lock have channels of their own
  if (
    !freed ||
    by !== SILENT_ENDS[freed.by] ||
    by === 'expired' ||
    KINDS[kind].wakeUp !== 'channel' ||
    waiters.length > 0
  )
    return [];
  if (!subscribers || until === null || hasCome(until)) return [];
  return [
    {
      incident: 'silent-release',
      severity: 'warning',
      confidence: 'likely',
      lockId,
      holders: [],
      from: freed.at,
      to: null,
      selfHealsAt: until,
      events: [freed.seq],
      values: {
        holder: null,
        asleep: subscribers,
        until,
        channel: wakeChannel(lock, ''),
        at: freed.at,
        by,
        isLatch: false,
      },
    },
  ];
}

/** How the lock became free without a message; undefined: a message was sent, or this is not known. */
function endOf({ freed, downgraded, kind }: LockState): { at: RedisTime; seq: number; by: FreedBy } | undefined {
  if (downgraded) return { at: downgraded.at, seq: downgraded.seq, by: 'downgrade' };
  if (!freed || freed.message) return undefined;
  const by = SILENT_ENDS[freed.by] ?? (freed.by === 'drift.healed' ? 'unseen' : undefined);
  if (by === 'unseen' && (freed.triedAt !== undefined || KINDS[kind].wakeUp !== 'channel')) return undefined;
  return by && { at: freed.at, seq: freed.seq, by };
}

/** Whether a sleeper could acquire the lock now, and has a timer that has not ended yet. */
function isLeftAsleep(waiter: WaiterState, { lock, hasCome }: LockSight, by: FreedBy, at: RedisTime): boolean {
  if (waiter.since > at || (by === 'downgrade' && waiter.mode !== 'read')) return false;
  if (waiter.position !== null && waiter.position > 1) return false;
  const timer = timerOf(waiter, lock);
  return timer !== null && timer !== undefined && !hasCome(timer);
}
