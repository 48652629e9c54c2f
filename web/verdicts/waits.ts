import { type Millis, millisBetween, type RedisTime, redisTime } from '../../shared/base/time.ts';
import { DEFAULT_WATCHDOG_MS } from '../../shared/insights/lease-renewal.ts';
import type { Lock } from '../../shared/wire/locks/lock.ts';
import { oldestListening, oldestWait } from '../../shared/wire/locks/lock-facts.ts';
import { isAskedFor } from './lock-verdict.ts';

/** The waits of all locks now. */
export type Waits = {
  /** The number of locks that are waited for. */
  readonly locks: number;
  /** The longest wait that lasts longer than the lease of its lock; null: none does. */
  readonly longest: LongestWait | null;
  /**
   * Threads that ask often for locks, for longer than the lease of the lock; null: none does. It is not visible whether
   * they wait.
   */
  readonly asked: AskedLong | null;
};

type AskedLong = { readonly locks: number; readonly ms: Millis };

/** `isAtLeast`: its beginning was not seen. `latch`: it waits until this latch opens. */
export type LongestWait = {
  readonly ms: Millis;
  readonly isAtLeast: boolean;
  readonly latch?: { readonly name: string; readonly count: number };
};

/**
 * The longest wait that lasts longer than the lease of its lock, in whole seconds; null: none does. If the lease is not
 * known, it is taken as the default of the watchdog.
 */
export function longestIn(waited: readonly Lock[], now: RedisTime | null): LongestWait | null {
  if (now === null) return null;
  let longest: LongestWait | null = null;
  for (const lock of waited) {
    const since = oldestWait(lock) ?? oldestListening(lock);
    const ms = since === null ? 0 : millisBetween(redisTime(since.at), now);
    if (since === null || ms <= (lock.lease.ms ?? DEFAULT_WATCHDOG_MS) || ms <= (longest?.ms ?? 0)) continue;
    const latch = lock.latch ? { latch: { name: lock.name, count: lock.latch.count } } : undefined;
    longest = { ms: Math.floor(ms / 1000) * 1000, isAtLeast: since.isAtLeast, ...latch };
  }
  return longest;
}

/**
 * The held locks for which threads ask often, for longer than their lease, and for how long at most, in whole seconds.
 */
export function askedIn(locks: Iterable<Lock>, now: RedisTime | null): AskedLong | null {
  const lengths = [...locks].flatMap((lock) => {
    const since = lock.refusedAgain?.oftenSince;
    if (now === null || since === undefined || !lock.held || !isAskedFor(lock, now)) return [];
    const ms = millisBetween(redisTime(since), now);
    return ms > (lock.lease.ms ?? DEFAULT_WATCHDOG_MS) ? ms : [];
  });
  if (lengths.length === 0) return null;
  return { locks: lengths.length, ms: Math.floor(Math.max(...lengths) / 1000) * 1000 };
}
