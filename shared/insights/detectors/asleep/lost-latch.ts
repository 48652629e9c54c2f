import { type Millis, plusMillis } from '../../../base/time.ts';
import type { LockEvent } from '../../../events/event.ts';
import { countedBy, KINDS } from '../../../events/kinds/kinds.ts';
import type { LockState, WaiterState } from '../../../state/lock-state.ts';
import type { LockSight, Verdict } from '../../detector.ts';
import { SILENT_ENDS, wakeChannel } from '../../sleepers.ts';

/** Ends of a latch that wake no waiter. Even the message of the latch's own `delete()` does not. */
const ENDS: typeof SILENT_ENDS = { ...SILENT_ENDS, 'latch.deleted': 'deleted' };

/** A waiter that hears the message `0` returns within milliseconds. */
const SILENT: Millis = 2000;

/** Whether threads or connections wait for a latch whose key is gone: such a latch is open. */
export function isLostLatch({ kind, latch, waiters, subscribers }: LockState): boolean {
  return countedBy(kind) === 'latch' && latch === null && (waiters.length > 0 || (subscribers ?? 0) > 0);
}

/**
 * The finding about a latch whose key is gone. Waiters of a latch are known by the names of their connections, so only
 * their subscriptions show that they are alive. In a blind spot, a message may have woken them.
 */
export function lostLatch({ lock, lockId, events, watched, hasCome }: LockSight): Verdict<'silent-release'> {
  const end = events.findLast(({ type }) => ENDS[type] !== undefined);
  const by = end && ENDS[end.type];
  const { subscribers } = lock;
  if (!end || !by || !subscribers) return [];
  if (events.some((event) => event.seq > end.seq && mayWake(event, lock))) return [];
  const left = lock.waiters.filter((waiter) => isLeftAsleep(waiter, end));
  const [first] = left;
  if (!first && lock.waiters.length > 0) return [];
  if (watched.watchedSince > end.at) return 'blind-spot';
  if (!hasCome(plusMillis(end.at, SILENT))) return [];
  return [
    {
      incident: 'silent-release',
      severity: 'warning',
      confidence: 'likely',
      lockId,
      holders: left.slice(0, 100).map(({ id }) => id),
      from: end.at,
      to: null,
      selfHealsAt: null,
      events: [end.seq],
      values: {
        ...{ holder: first?.id ?? null, asleep: first ? left.length : subscribers, until: null, at: end.at, by },
        ...{ channel: wakeChannel(lock, first?.id ?? ''), isLatch: true },
      },
    },
  ];
}

/**
 * Whether an event is a message that may have woken the waiters: any but the one that Redisson sends when a latch is
 * set or deleted.
 */
function mayWake(event: LockEvent, { kind }: LockState): boolean {
  return event.type === 'wakeup.published' && event.message !== KINDS[kind].messageToNone;
}

function isLeftAsleep({ isAsleep, presumedGoneAt, since }: WaiterState, end: LockEvent): boolean {
  return isAsleep && presumedGoneAt === null && since < end.at;
}
