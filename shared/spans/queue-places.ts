import type { RedisTime } from '../base/time.ts';
import { plusMillis } from '../base/time.ts';
import type { LockEvent } from '../events/event.ts';
import type { LockState } from '../state/lock-state.ts';

/** The place of a waiter in a fair lock's queue from an instant on, and its deadline then. */
type QueuePlace = { readonly at: RedisTime; readonly position: number; readonly deadline: RedisTime | null };

/** The time that a waiter was in the queue. A blind spot ends it. */
export type QueueStay = {
  readonly holder: string;
  readonly places: QueuePlace[];
  /** The last deadline. `leftAt`: when the waiter left the queue; null: the waiter is still in the queue. */
  deadline: RedisTime | null;
  leftAt: RedisTime | null;
};

/** When waiters move up, only new places up to this one are noted. */
const NEAR_HEAD = 20;

/**
 * Returns every stay in a fair lock's queue, with its places.
 *
 *   event   queued (3)     A acquired     B evicted     acquired
 *   places  3 ──────────── 2 ──────────── 1 ────────────┘
 *
 * `base` is the state of the lock before the first event. Stays that began earlier start with their place in that
 * state.
 */
export function queueStaysFromEvents(events: readonly LockEvent[], base?: LockState): QueueStay[] {
  const stays = queueOf(base);
  const queue = [...stays];

  function leave(holder: string, event: LockEvent, shiftMs: number, isShiftOfAll: boolean): void {
    const index = queue.findIndex((stay) => stay.holder === holder);
    if (index !== -1) {
      const [stay] = queue.splice(index, 1);
      if (stay) stay.leftAt = event.at;
    }
    if (shiftMs !== 0) {
      for (let i = isShiftOfAll || index === -1 ? 0 : index; i < queue.length; i++) {
        const stay = queue[i];
        if (stay?.deadline != null) stay.deadline = plusMillis(stay.deadline, shiftMs);
      }
    }
    if (index === -1) return;
    for (let i = index; i < Math.min(queue.length, NEAR_HEAD); i++) {
      const stay = queue[i];
      stay?.places.push({ at: event.at, position: i + 1, deadline: stay.deadline });
    }
  }

  for (const event of events) {
    switch (event.type) {
      case 'waiter.queued': {
        const { holder, position, deadline, at } = event;
        const known = queue.find((stay) => stay.holder === holder);
        if (known) {
          known.deadline = deadline;
          if (known.places.at(-1)?.position !== position) known.places.push({ at, position, deadline });
          break;
        }
        const stay: QueueStay = { holder, places: [{ at, position, deadline }], deadline, leftAt: null };
        stays.push(stay);
        queue.push(stay);
        break;
      }
      case 'waiter.dequeued':
        if (event.reason !== 'presumed-gone') leave(event.holder, event, event.shiftMs ?? 0, false);
        break;
      case 'lock.acquired':
        if (queue.length > 0) leave(event.holder, event, event.shiftMs ?? 0, true);
        break;
      case 'blind-spot.began':
        for (const stay of queue.splice(0)) stay.leftAt = event.at;
        break;
      default: // the other events do not change the queue
    }
  }
  return stays;
}

/** The queue of a lock, head first. */
function queueOf(base: LockState | undefined): QueueStay[] {
  const queued = (base?.waiters ?? []).flatMap(
    ({ id, position, deadline, since }): (QueueStay & { place: number })[] =>
      position === null
        ? []
        : [{ holder: id, place: position, places: [{ at: since, position, deadline }], deadline, leftAt: null }],
  );
  return queued
    .sort((a, b) => a.place - b.place)
    .map(({ holder, places, deadline, leftAt }) => ({ holder, places, deadline, leftAt }));
}
