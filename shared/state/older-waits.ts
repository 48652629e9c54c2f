import { millisBetween, type RedisTime } from '../base/time.ts';
import type { EventOf } from '../events/event.ts';
import { SECOND_ATTEMPT } from '../events/mirror/clients/wait.ts';

/**
 * Whether the thread seems to have waited before its first attempt that was seen: a new caller does not sleep after its
 * first attempt.
 */
export function seemsOlder({ attempt, asleep }: EventOf<'lock.refused'>): boolean {
  return attempt === 1 && asleep;
}

/** Whether this attempt shows that the wait began with the first attempt that was seen, at `since`. */
export function isNewCaller({ attempt, at }: EventOf<'lock.refused'>, since: RedisTime): boolean {
  return attempt === 2 && millisBetween(since, at) < SECOND_ATTEMPT;
}
