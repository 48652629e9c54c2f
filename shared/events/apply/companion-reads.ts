import type { RedisTime } from '../../base/time.ts';
import type { KeyRead } from '../../signals/signal.ts';
import type { Context } from '../context.ts';
import type { Companions } from '../kinds/companion.ts';
import { COMPANIONS, KINDS } from '../kinds/kinds.ts';
import type { LockKey } from '../mirror/lock-key.ts';
import type { LockKind } from '../types/lock-kind.ts';
import { applyLostQueue } from './kinds/fair-queue.ts';
import { applyFoundToken, applyLostToken, expectedToken as expectedFencingToken } from './kinds/fencing-token.ts';
import { applyFoundLatch, applyFoundPermits, expectedLatch, expectedPermits, loseIds } from './reads/found-counter.ts';
import { applyFoundQueue, expectedQueue } from './reads/found-queue.ts';
import { applyFoundLibrary, expectedToken } from './reads/token-reads.ts';

/** How the mirror of a kind's companion keys is compared with Redis. */
type CompanionReads = {
  /** What we expect the companions to hold, in the form of a read; undefined: nothing. */
  expected(key: LockKey): Companions | undefined;
  /** Compares what a read found in the companions with what we expect. */
  applyRead(to: Context, key: LockKey, found: Companions, at: RedisTime): void;
  /** Updates the mirror after an expiry, or a command outside of the kind's own scripts, removed a companion key. */
  applyLoss?(to: Context, key: LockKey, role: string, at: RedisTime, command: string, by: string | undefined): void;
};

/**
 * By kind: how its companion keys are compared. The entry of `semaphore` also compares the permits of an expirable
 * semaphore, whose own entry only handles the loss of their ids.
 */
const READS: Partial<Record<LockKind, CompanionReads>> = {
  latch: { expected: expectedLatch, applyRead: applyFoundLatch },
  'fenced-lock': {
    expected: expectedFencingToken,
    applyRead: applyFoundToken,
    applyLoss: (_to, key) => applyLostToken(key),
  },
  'fair-lock': { expected: expectedQueue, applyRead: applyFoundQueue, applyLoss: applyLostQueue },
  semaphore: { expected: expectedPermits, applyRead: applyFoundPermits },
  'expirable-semaphore': { expected: () => undefined, applyRead: () => undefined, applyLoss: loseIds },
  'token-lock': { expected: expectedToken, applyRead: applyFoundLibrary },
};

const KINDS_READ = Object.entries(READS) as readonly [LockKind, CompanionReads][]; // the keys of the table above

/** What we expect a lock's companions to hold, in the form of a read; undefined: nothing. */
export function expectedBeside(key: LockKey): Companions | undefined {
  if (!key.mirrors) return undefined;
  const found = KINDS_READ.map(([, { expected }]) => expected(key)).filter((each) => each !== undefined);
  return found.length === 0 ? undefined : Object.assign({}, ...found);
}

/** Compares what a read found beside a known lock with what we expect, kind by kind. */
export function applyCompanions(to: Context, { db, name, companions: found }: KeyRead, at: RedisTime): void {
  const key = found && to.keys.find(db, name);
  if (!key) return;
  for (const [kind, { applyRead }] of KINDS_READ) {
    const { companions, isShownBy } = KINDS[kind];
    const isRead = companions?.some(({ role }) => found[role] !== undefined);
    if (isRead || isShownBy?.(found)) applyRead(to, key, found, at);
  }
}

/** Updates the mirror after an expiry, or a command outside of the kind's own scripts, removed a companion key. */
export function applyLoss(
  to: Context,
  key: LockKey,
  { kind, role }: { readonly kind: LockKind; readonly role: string },
  { at, command, by }: { readonly at: RedisTime; readonly command: string; readonly by?: string | undefined },
): void {
  READS[kind]?.applyLoss?.(to, key, role, at, command, by);
}

/** Like `applyLoss`, for all companion keys of a lock. */
export function applyLossOfAll(to: Context, key: LockKey, how: Parameters<typeof applyLoss>[3]): void {
  for (const companion of COMPANIONS) applyLoss(to, key, companion, how);
}
