import { millisBetween, type RedisTime, redisTime } from '../../base/time.ts';
import type { PushSignal } from '../../signals/signal.ts';
import type { Context } from '../context.ts';
import type { Certainty, DetailOf } from '../event.ts';
import { clearKey, contentOf, type LockKey, SAME_END } from '../mirror/lock-key.ts';
import { clientOf, holderOfField } from '../names/names.ts';

/**
 * Ends every hold of a key whose lease is over by now, at the computed end or now, whichever is earlier. If the holds
 * may have ended in a blind spot, it is not known how: their holders may have released them.
 *
 *   acquired   blind spot began   lease end   blind spot ended
 *       [=============|- - - - - - - - x - - - - - - |              drift.healed, not lease.expired
 */
export function expire(to: Context, key: LockKey, now: RedisTime): void {
  if (to.hasCommands && mayHaveEndedUnseen(to, key) && key.holders.size > 0) {
    const { watchEpoch } = key;
    reportGone(to, key, now, 'blind-spot', 'inferred');
    key.watchEpoch = watchEpoch; // another thread may hold the lock by now
    return;
  }
  end(to, key, redisTime(Math.min(now, key.expiresAt ?? now)), 'inferred');
}

/** Reports that every hold of a key is gone, and that nothing showed how the holds ended. */
export function reportGone(
  to: Context,
  key: LockKey,
  at: RedisTime,
  cause: DetailOf<'drift.healed'>['cause'],
  certainty: Certainty = 'observed',
): void {
  key.lastLoss = to.emit(
    { db: key.db, lock: key.name, kind: key.kind, at, certainty },
    { type: 'drift.healed', expected: contentOf(key), found: null, cause },
  );
  clearKey(key, 'gone');
  key.watchEpoch = to.watchEpoch;
}

/**
 * Whether the holds of a key may have ended in a blind spot: nothing has confirmed them since, and their lease had not
 * ended when the newest blind spot began, or they were last confirmed before an earlier one. After a failover, rule X2
 * decides instead.
 */
export function mayHaveEndedUnseen(to: Context, { watchEpoch, expiresAt }: LockKey): boolean {
  if (watchEpoch === to.watchEpoch || to.blindFrom === undefined || expiresAt == null) return false;
  const isOfFailover = to.failover !== undefined && watchEpoch <= to.failover.watchEpoch;
  return !isOfFailover && (expiresAt > to.blindFrom || watchEpoch < to.watchEpoch - 1);
}

/**
 * Ends every hold of a key that Redis reported as expired. A push has no time of its own, only a place between two
 * lines:
 *
 *   last line   lease end   push   next line
 *       |───────────x────────────────|
 *
 * Redis may end the lease earlier than computed: it computes the end from the time at which it last read its clock, but
 * its lines have the time of the command.
 *
 * If the key may have changed unseen, an expiry more than 100 ms earlier than computed may belong to a later hold. Such
 * an expiry is inferred.
 */
export function expireBetween(to: Context, key: LockKey, push: PushSignal): void {
  const { at, certainty } = endBetween(to, key, push);
  end(to, key, at, certainty);
}

/** When the key of an expiry event expired, and how certain it is that the known lease ended. */
export function endBetween(
  to: Context,
  key: LockKey,
  { at, nextAt }: PushSignal,
): { readonly at: RedisTime; readonly certainty: Certainty } {
  const isUnread = to.hasCommands && key.watchEpoch !== to.watchEpoch; // nothing confirmed the key since a blind spot
  const computed = key.expiresAt ?? at;
  const latest = nextAt ?? (isUnread ? at : computed);
  const isEarly = (isUnread || !to.hasCommands) && millisBetween(latest, computed) > SAME_END;
  return {
    at: redisTime(Math.max(at, Math.min(computed, latest))),
    certainty: isEarly ? 'inferred' : 'observed',
  };
}

/** Reports that the lease of every hold has expired, and empties the key. */
function end(to: Context, key: LockKey, at: RedisTime, certainty: Certainty): void {
  for (const [name, field] of [...key.holders]) {
    const holder = holderOfField(name);
    const expiresAt = key.expiresAt == null ? {} : { expiresAt: key.expiresAt };
    // A lease without a watchdog would have ended even if its client were alive.
    const gone = field.renewedMs !== undefined ? to.clients.goneSeq(clientOf(holder)) : undefined;
    key.lastExpiry = to.emit(
      { db: key.db, lock: key.name, kind: key.kind, at, certainty, because: [field.acquiredSeq, gone] },
      { type: 'lease.expired', holder, mode: field.mode, ...expiresAt },
    );
  }
  clearKey(key, 'expired');
}
