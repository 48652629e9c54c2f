import type { RedisTime } from '../base/time.ts';
import type { LockEvent } from '../events/event.ts';
import type { LockState } from '../state/lock-state.ts';
import { reduceLock } from '../state/reduce.ts';

/** The one lock these events are about, as of `at`. */
export function lockAt(events: readonly LockEvent[], at: RedisTime): LockState {
  let lock: LockState | undefined;
  for (const event of events) if (event.at <= at) lock = reduceLock(lock, event);
  if (!lock) throw new Error('no events by then');
  return lock;
}
