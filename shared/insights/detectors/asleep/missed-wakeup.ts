import { type Millis, plusMillis } from '../../../base/time.ts';
import { KINDS } from '../../../events/kinds/kinds.ts';
import type { LockState } from '../../../state/lock-state.ts';
import type { LockDetector, LockSight } from '../../detector.ts';
import { queueOf } from '../../fair-queue.ts';
import { aboutSleepers, END_SHOWN_MS, isOfLateClient, type Sleepers, sleepersOf, timerOf } from '../../sleepers.ts';
import { isOfPause } from '../../standstills.ts';

/** A waiter that hears a message attempts within milliseconds, on a busy machine a little later. */
const SILENT: Millis = 2000;

/**
 * A lock was released and its message was sent, but the waiter sleeps on until its own timer. The message was lost, or
 * the waiter's subscription was cut, or its process is paused. A new subscription without an attempt after it shows the
 * cut. Without a new subscription, a client that was late elsewhere may only be late here, too.
 *
 * In a fair queue only the waiter that was called can take the lock. If it was evicted meanwhile, it is behind others
 * when it asks again. Then no message goes to the new head: the head sleeps until its own timer, although the lock is
 * free.
 *
 * `silent-release` has the locks without a message, `waiter-asleep-without-limit` the waiters without a timer, and
 * `fair-head-dead` those whose client is gone.
 */
export const missedWakeup: LockDetector<'missed-wakeup'> = {
  incident: 'missed-wakeup',
  effect: 'stuck',
  of: 'lock',
  withoutCommands: 'nothing',
  levels: ['monitor'],
  needs: ['presence'],
  concerns: ({ freed }) => freed?.message !== undefined,
  detect(sight) {
    const { lock, lockId, watched, hasCome } = sight;
    const { message, resubscribed, triedAt, at } = lock.freed ?? {};
    if (!message || at === undefined) return [];
    if (watched.watchedSince > at) return 'blind-spot';
    // if a waiter attempted a free lock without a queue and was refused, something else is wrong
    if (!hasCome(plusMillis(message.at, SILENT)) || (triedAt !== undefined && !KINDS[lock.kind].hasQueue)) return [];
    const isPassedOver = isBehindOthers(message, lock);
    const { alive, isUnknown } = shouldHaveWoken(message, sight, isPassedOver);
    const about = aboutSleepers(lock, alive);
    if (!about) return isUnknown ? 'presence' : [];
    if (isOfPause(sight, message.at)) return [];
    const confidence = resubscribed ? 'certain' : hasCome(plusMillis(message.at, END_SHOWN_MS)) ? 'likely' : 'hint';
    return [
      {
        incident: 'missed-wakeup',
        severity: confidence === 'hint' ? 'hint' : 'warning',
        confidence,
        lockId,
        holders: about.holders,
        from: message.at,
        to: null,
        selfHealsAt: about.values.until,
        events: [message.seq, ...(resubscribed ? [resubscribed.seq] : [])],
        values: {
          ...about.values,
          messageAt: message.at,
          resubscribedAt: resubscribed?.at ?? null,
          called: isPassedOver ? (message.to ?? null) : null,
          queued: KINDS[lock.kind].hasQueue ? queueOf(lock).length + lock.waitersBeyond : 0,
        },
      },
    ];
  },
};

type Message = NonNullable<NonNullable<LockSight['lock']['freed']>['message']>;

/**
 * The sleepers that this message should have woken. If the waiter that was called is behind others: the head of the
 * queue.
 */
function shouldHaveWoken(message: Message, sight: LockSight, isPassedOver: boolean): Sleepers {
  const { lock } = sight;
  const isQueue = KINDS[lock.kind].hasQueue === true;
  return sleepersOf(sight, (waiter) => {
    if (isQueue && waiter.position !== 1) return false;
    if (!lock.freed?.resubscribed && isOfLateClient(waiter, sight, message.at)) return false;
    const isMeant = isPassedOver || (waiter.since < message.at && (!isQueue || waiter.id === message.to));
    return isMeant && timerOf(waiter, lock) !== null;
  });
}

/** Whether the waiter that was called is in the queue behind others, so that no message was sent to the head. */
function isBehindOthers({ to }: Message, lock: LockState): boolean {
  return lock.waiters.some(({ id, position }) => id === to && position !== null && position > 1);
}
