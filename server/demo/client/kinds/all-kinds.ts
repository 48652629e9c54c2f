import type { DemoKind } from '../../../../shared/wire/demo.ts';
import type { ConnectionPool } from '../connection-pool.ts';
import { deadlinesKey } from './expirable-semaphore.ts';
import { fairKeys, fairLock } from './fair-lock.ts';
import { fencedLock, tokenKey } from './fenced-lock.ts';
import type { LockProtocol } from './lock-protocol.ts';
import { plainLock } from './plain-lock.ts';
import { readLock, writeLock } from './read-write-lock.ts';
import { spinLock } from './spin-lock.ts';

/** Kinds that have a holder. Semaphores and latches only count. */
export type HeldKind = Exclude<DemoKind, 'semaphore' | 'expirable-semaphore' | 'latch'>;

/** How each kind of lock is acquired and released. */
export function waysOfLocking(pool: ConnectionPool): Readonly<Record<HeldKind, LockProtocol>> {
  return {
    lock: plainLock(pool),
    'fair-lock': fairLock(pool),
    'read-lock': readLock(pool),
    'write-lock': writeLock(pool),
    'fenced-lock': fencedLock(pool),
    'spin-lock': spinLock(pool),
  };
}

/** True if locks of this kind have a holder. */
export function isHeldKind(kind: DemoKind): kind is HeldKind {
  return kind !== 'semaphore' && kind !== 'expirable-semaphore' && kind !== 'latch';
}

/** Every key that `delete()` of a lock deletes. */
export function keysOf(kind: DemoKind, lock: string): string[] {
  if (kind === 'fair-lock') return [lock, ...fairKeys(lock)];
  if (kind === 'fenced-lock') return [lock, tokenKey(lock)];
  return kind === 'expirable-semaphore' ? [lock, deadlinesKey(lock)] : [lock];
}
