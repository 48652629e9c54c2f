import { type RedisTime, redisTime } from '../../base/time.ts';
import type { Context } from '../context.ts';
import type { Certainty } from '../event.ts';
import { clearKey, type LockKey } from '../mirror/lock-keys.ts';
import { clientOf, holderOfField } from '../names/names.ts';

/**
 * Ends every hold of a key whose lease ran out, each exactly once.
 *
 *   inferred    lease end   now       the end we computed
 *                   x────────|
 *   observed    last line   lease end   …   push   (a push has no time of its own: it comes after both)
 *                   |───────────x
 */
export function expire(to: Context, key: LockKey, now: RedisTime, certainty: Certainty): void {
  const end = key.expiresAt ?? now;
  const at = redisTime(certainty === 'inferred' ? Math.min(now, end) : Math.max(now, end));
  for (const [name, field] of [...key.holders]) {
    const holder = holderOfField(name);
    const expiresAt = key.expiresAt == null ? {} : { expiresAt: key.expiresAt };
    // A lease without a watchdog would have ended even if its client were alive.
    const gone = field.isRenewed ? to.clients.goneSeq(clientOf(holder)) : undefined;
    key.lastExpiry = to.emit(
      { db: key.db, lock: key.name, kind: key.kind, at, certainty, because: [field.acquiredSeq, gone] },
      { type: 'lease.expired', holder, mode: field.mode, ...expiresAt },
    );
  }
  clearKey(key, 'expired');
}
