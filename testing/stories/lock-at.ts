import type { RedisTime } from '../../shared/base/time.ts';
import type { LockEvent } from '../../shared/events/event.ts';
import type { LockState } from '../../shared/state/lock-state.ts';
import { reduceLock } from '../../shared/state/reduce.ts';

/** The state at `at` of the one lock in these events. Throws if there are no events by then. */
export function lockAt(events: readonly LockEvent[], at: RedisTime): LockState {
  let lock: LockState | undefined;
  for (const event of events) if (event.at <= at) lock = reduceLock(lock, event);
  if (!lock) throw new Error('no events by then');
  return lock;
}
