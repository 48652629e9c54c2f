import type { RedisTime } from '../../shared/base/time.ts';
import type { LockEvent } from '../../shared/events/event.ts';
import { World } from '../../shared/state/world.ts';
import type { Lock } from '../../shared/wire/locks/lock.ts';
import { lockView, UNKNOWN_PRESENCE } from '../../shared/wire/locks/lock-view.ts';

/** All locks as they are at `at`, computed only from the events, sorted by id. */
export function locksFromEvents(events: readonly LockEvent[], at: RedisTime): Lock[] {
  const world = new World();
  for (const event of events) if (event.at <= at) world.apply(event);
  return [...world.entries()]
    .map(([, lock]) => lockView(lock, at, UNKNOWN_PRESENCE))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}
