import { type Millis, plusMillis, type RedisTime, redisTime } from '../../../base/time.ts';
import { KINDS } from '../../../events/kinds/kinds.ts';
import type { LockState, WaiterState } from '../../../state/lock-state.ts';
import type { LockDetector } from '../../detector.ts';
import { aboutSleepers, END_SHOWN_MS, isOfLateClient, sleepersOf, timerOf } from '../../sleepers.ts';
import { isOfPause } from '../../standstills.ts';

/** A waiter that hears a message attempts within milliseconds. */
const SILENT: Millis = 2000;

/**
 * A lock is free, but a waiter without a timer sleeps until a message is sent. It set no timer because the script
 * returned a number below 0: the lease had no end, or (fair locks up to 3.31.0) the first timer of the waiter had
 * ended.
 */
export const waiterAsleepWithoutLimit: LockDetector<'waiter-asleep-without-limit'> = {
  incident: 'waiter-asleep-without-limit',
  effect: 'stuck',
  of: 'lock',
  withoutCommands: 'nothing',
  levels: ['monitor'],
  needsWaiters: true,
  needs: ['presence'],
  concerns: ({ freed }) => freed !== undefined,
  detect(sight) {
    const { lock, lockId, watched, hasCome } = sight;
    const { freed } = lock;
    if (!freed) return [];
    if (watched.watchedSince > freed.at) return 'blind-spot';
    const freeSince = freed.message?.at ?? freed.at;
    if (!hasCome(plusMillis(freeSince, SILENT))) return [];
    const { message } = freed;
    const mayHear = (waiter: WaiterState) => message !== undefined && isOfLateClient(waiter, sight, message.at);
    const { alive, isUnknown } = sleepersOf(
      sight,
      (waiter) => isWithoutLimit(waiter, lock, freeSince) && !mayHear(waiter),
    );
    const [first] = alive;
    const about = aboutSleepers(lock, alive);
    if (!first || !about) return isUnknown ? 'presence' : [];
    if (message && isOfPause(sight, message.at)) return []; // the waiter may have woken, but cannot attempt
    const { evicted } = first;
    const { holder, asleep, channel } = about.values;
    const since = evicted?.at ?? first.since;
    return [
      {
        incident: 'waiter-asleep-without-limit',
        severity: 'critical',
        confidence: hasCome(plusMillis(freeSince, END_SHOWN_MS)) ? 'certain' : 'likely',
        lockId,
        holders: about.holders,
        from: evicted ? evicted.at : redisTime(Math.max(freed.at, first.since)),
        to: null,
        selfHealsAt: null,
        events: [
          ...(first.firstSeq === undefined ? [] : [first.firstSeq]),
          ...(evicted ? [evicted.seq] : []),
          freed.seq,
        ],
        values: { holder, asleep, since, freeSince: freed.at, isEvicted: evicted !== undefined, channel },
      },
    ];
  },
};

/** Whether this sleeper could acquire the lock, but has no timer. Behind the head of a queue, other waiters wake first. */
function isWithoutLimit(waiter: WaiterState, lock: LockState, freeSince: RedisTime): boolean {
  if (timerOf(waiter, lock) !== null || waiter.since > freeSince) return false;
  return !KINDS[lock.kind].hasQueue || waiter.position === null || waiter.position === 1;
}
