import { type Millis, plusMillis, type RedisTime } from '../../../base/time.ts';
import type { EventType } from '../../../events/event.ts';
import { KINDS } from '../../../events/kinds/kinds.ts';
import type { LockState, WaiterState } from '../../../state/lock-state.ts';
import type { LockDetector, LockSight } from '../../detector.ts';
import type { FindingOf } from '../../insight.ts';
import { aboutSleepers, sleepersOf, timerOf, wakeChannel } from '../../sleepers.ts';
import type { AsleepValues } from '../../values/asleep.ts';

type How = AsleepValues['silent-release']['by'];

/** Ends of holds that send no message. */
const ENDS: Partial<Record<EventType, How>> = {
  'lease.expired': 'expired',
  'lock.deleted': 'deleted',
  'lock.evicted': 'evicted',
  'db.flushed': 'flushed',
  'lock.lost': 'lost',
};

/** How long ago a lock may have been deleted: its lease would be over. */
const WITHIN: Millis = 10 * 60_000;
/** After an expiry the waiters attempt within milliseconds, since their timers end with the lease. */
const SILENT: Millis = 1000;

/**
 * A lock can be taken, but no message was sent: its key expired, was deleted or evicted, or a writer went on as a reader.
 * The waiters look again only when their own timers end. Waiters without a timer are reported by
 * `waiter-asleep-without-limit`.
 *
 * Without commands, only the number of listeners shows waiters. They sleep until the lease would have ended at the latest.
 */
export const silentRelease: LockDetector<'silent-release'> = {
  incident: 'silent-release',
  effect: 'stuck',
  of: 'lock',
  withoutCommands: 'hint',
  levels: ['monitor', 'replication', 'events'],
  needs: ['presence'],
  wants: { types: ['lock.deleted', 'lock.evicted', 'db.flushed'], beside: [], withinMs: WITHIN },
  concerns: ({ freed, downgraded }) => freed !== undefined || downgraded !== undefined,
  detect(sight) {
    const { lock, lockId, watched } = sight;
    const end = endOf(lock);
    if (!end) return [];
    if (watched.watchedSince > end.at || end.by === undefined) return 'blind-spot';
    if (!sight.hasCome(plusMillis(end.at, SILENT))) return [];
    const { by } = end;
    if (watched.level !== 'monitor') return heard(sight, by);
    const { alive, isUnknown } = sleepersOf(sight, (waiter) => isLeftAsleep(waiter, sight, by, end.at));
    const about = aboutSleepers(lock, alive);
    if (!about) return isUnknown ? 'presence' : [];
    return [
      {
        incident: 'silent-release',
        severity: 'warning',
        confidence: 'certain',
        lockId,
        holders: about.holders,
        from: end.at,
        to: null,
        selfHealsAt: about.values.until,
        events: [end.seq],
        values: { ...about.values, at: end.at, by },
      },
    ];
  },
};

/** At a level without commands: connections listen on the channel of a lock that was deleted. */
function heard({ lock, lockId, hasCome }: LockSight, by: How): FindingOf<'silent-release'>[] {
  const { freed, subscribers, kind, waiters } = lock;
  const until = freed?.leaseEnd ?? null;
  // After an expiry, the timers of the waiters have ended too. The waiters of a fair lock have channels of their own.
  if (!freed || by === 'expired' || KINDS[kind].wakeUp !== 'channel' || waiters.length > 0) return [];
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
      values: { holder: null, asleep: subscribers, until, channel: wakeChannel(lock, ''), at: freed.at, by },
    },
  ];
}

/** The end of a hold without a message; `by` is undefined if it is not known what ended it. */
function endOf({ freed, downgraded }: LockState): { at: RedisTime; seq: number; by: How | undefined } | undefined {
  if (downgraded) return { at: downgraded.at, seq: downgraded.seq, by: 'downgrade' };
  if (!freed || freed.message) return undefined;
  const by = ENDS[freed.by];
  return by || freed.by === 'drift.healed' ? { at: freed.at, seq: freed.seq, by } : undefined;
}

/** Whether a sleeper could take the lock now, and its timer has not ended yet. */
function isLeftAsleep(waiter: WaiterState, { lock, hasCome }: LockSight, by: How, at: RedisTime): boolean {
  if (waiter.since > at || (by === 'downgrade' && waiter.mode !== 'read')) return false;
  if (waiter.position !== null && waiter.position > 1) return false;
  const timer = timerOf(waiter, lock);
  return timer !== null && timer !== undefined && !hasCome(timer);
}
