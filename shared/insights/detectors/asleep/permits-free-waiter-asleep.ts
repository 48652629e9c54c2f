import { type Millis, plusMillis } from '../../../base/time.ts';
import { type LockState, type WaiterState, waitingFor } from '../../../state/lock-state.ts';
import type { LockDetector } from '../../detector.ts';
import { isOfLateClient, wakeChannel } from '../../sleepers.ts';
import { isOfPause } from '../../standstills.ts';

/** A waiter that hears a message attempts within milliseconds, on a busy machine a little later. */
const SILENT: Millis = 3000;

/**
 * Permits came back, and there are enough for a waiter, but the waiter has not asked for them since: it missed the
 * message, or its client counts messages and not permits. The threads of one client are one waiter of a semaphore, so
 * the highest number that one of them asked for must be free.
 */
export const permitsFreeWaiterAsleep: LockDetector<'permits-free-waiter-asleep'> = {
  incident: 'permits-free-waiter-asleep',
  effect: 'stuck',
  of: 'lock',
  withoutCommands: 'nothing',
  levels: ['monitor'],
  concerns: ({ refilled, permits }) => refilled !== undefined && permits !== null && permits.available > 0,
  detect(sight) {
    const { lock, lockId, watched, hasCome } = sight;
    const { refilled, permits } = lock;
    if (!refilled || !permits) return [];
    if (watched.watchedSince > refilled.at) return 'blind-spot';
    if (!hasCome(plusMillis(refilled.at, SILENT))) return [];
    const left = lock.waiters.filter(
      (waiter) => isLeftAsleep(waiter, lock) && !isOfLateClient(waiter, sight, refilled.at),
    );
    const [first] = left;
    if (!first?.asks || isOfPause(sight, refilled.at)) return [];
    return [
      {
        incident: 'permits-free-waiter-asleep',
        severity: 'warning',
        confidence: 'likely',
        lockId,
        holders: left.slice(0, 100).map(({ id }) => id),
        from: refilled.at,
        to: null,
        selfHealsAt: null,
        events: [...(first.firstSeq === undefined ? [] : [first.firstSeq]), refilled.seq],
        values: {
          ...{ holder: first.id, available: permits.available, asks: first.asks.permits, freeSince: refilled.at },
          ...{ waiting: waitingFor(lock), channel: wakeChannel(lock, first.id) },
        },
      },
    ];
  },
};

function isLeftAsleep(
  { mode, isAsleep, presumedGoneAt, asks }: WaiterState,
  { refilled, permits }: LockState,
): boolean {
  if (mode !== 'permit' || !isAsleep || presumedGoneAt !== null || !asks || !refilled || !permits) return false;
  return asks.at < refilled.at && asks.permits <= permits.available;
}
