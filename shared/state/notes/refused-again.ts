import { type Millis, millisBetween, plusMillis, type RedisTime } from '../../base/time.ts';
import type { EventOf } from '../../events/event.ts';
import { isTokenKind } from '../../events/kinds/kinds.ts';
import type { WaiterState } from '../lock-facts.ts';

/** Attempts of one thread that are further apart than this do not belong to one series. */
const SAME_SERIES_WITHIN: Millis = 10_000;
/** A shorter series may be chance. */
const SHORTEST = 3;
/** Attempts are frequent if they are less than this apart on average: the timers of schedulers are slower. */
const OFTEN_WITHIN: Millis = 1000;
const SHORTEST_OFTEN = 10;

/**
 * Threads that are refused again and again without a sign that they wait, for example in `while (!lock.tryLock())
 * sleep(100)`. A timer that calls `tryLock()` and skips its work if it is refused looks the same, so such threads are
 * not called waiters.
 */
type RefusedAgain = {
  readonly threads: number;
  readonly attempts: number;
  readonly since: RedisTime;
  readonly lastAt: RedisTime;
  /** Since when at least one of them attempts often. Absent: none does. */
  readonly oftenSince?: RedisTime;
};

/** Counts a refused attempt that belongs to no wait. A token that attempts again is a waiter (T6). */
export function againAfter(
  before: WaiterState | undefined,
  { kind, attempt, asleep, at }: EventOf<'lock.refused'>,
): Pick<WaiterState, 'again'> | undefined {
  if (!before || attempt > 1 || asleep || isTokenKind(kind)) return undefined;
  if (before.isConfirmed || before.attempts > 1 || millisBetween(before.since, at) > SAME_SERIES_WITHIN)
    return undefined;
  const { since, attempts } = before.again ?? { since: before.since, attempts: 1 };
  return { again: { since, attempts: attempts + 1 } };
}

/** The series of all threads of a lock that may go on at `now`; undefined: there are none. */
export function refusedAgain(waiters: readonly WaiterState[], now: RedisTime): RefusedAgain | undefined {
  let found: RefusedAgain | undefined;
  for (const { again, since: lastAt, isConfirmed } of waiters) {
    if (!again || isConfirmed || again.attempts < SHORTEST || !mayGoOn({ lastAt }, now)) continue;
    const { since, attempts } = again;
    const isOften = attempts >= SHORTEST_OFTEN && millisBetween(since, lastAt) < OFTEN_WITHIN * (attempts - 1);
    const oftenSince = earlier(found?.oftenSince, isOften ? since : undefined);
    found = {
      threads: (found?.threads ?? 0) + 1,
      attempts: (found?.attempts ?? 0) + attempts,
      since: earlier(found?.since, since) ?? since,
      lastAt: found && found.lastAt > lastAt ? found.lastAt : lastAt,
      ...(oftenSince === undefined ? undefined : { oftenSince }),
    };
  }
  return found;
}

/** Whether the series may go on: an attempt at `now` would still belong to it. */
export function mayGoOn({ lastAt }: { readonly lastAt: RedisTime }, now: RedisTime): boolean {
  return now <= plusMillis(lastAt, SAME_SERIES_WITHIN);
}

function earlier(a: RedisTime | undefined, b: RedisTime | undefined): RedisTime | undefined {
  return a === undefined || (b !== undefined && b < a) ? b : a;
}
