import { millisBetween, plusMillis, type RedisTime } from '../../../base/time.ts';
import type { Context } from '../../context.ts';
import { type LockKey, SAME_END } from '../../mirror/lock-key.ts';
import { mayBeRenewed, tokenMirrorOf } from '../../mirror/tokens/token-memory.ts';
import type { Unreported } from '../../mirror/tokens/token-mirror.ts';
import type { Lease } from '../../types/lease.ts';
import type { KeyContent } from '../../types/watch-event.ts';
import { renew } from '../tokens/token-hold.ts';

/*
 * Renewals by `SET … IFEQ` whose outcome is not known. A server without IFEQ answers with an error, but its MONITOR
 * shows the command as well.
 */

/**
 * If a read found the end of the lease that the last renewal set, reports the renewals before the read. If the server
 * is not known to have IFEQ, the end must also differ from the previous end: the same end shows nothing.
 */
export function settleRenewals(to: Context, key: LockKey, found: KeyContent | null): void {
  const mirror = key.mirrors?.tokens;
  if (!mirror || !mayBeRenewed(key)) return;
  const holder = found?.holders[0]?.holder;
  const own = mirror.unreportedRenewals.splice(0).filter(({ token }) => token === holder);
  const last = own.at(-1);
  if (!found || !last || !isEndOf(last.lease, found.expiresAt)) return;
  const before = key.holders.has(last.token) ? key.expiresAt : undefined;
  if (!to.hasIfEqual && !isOtherEnd(before, found.expiresAt)) {
    if (key.holders.has(last.token)) mirror.unreportedRenewals.push(...own);
    return;
  }
  to.hasIfEqual = true;
  reportAll(to, key, own);
}

/**
 * Reports the renewals before a command that compared the token, if the server is known to have IFEQ. Returns whether
 * any was reported.
 *
 * - A script that found the token (`isFound`) shows that these renewals took effect. If it found the token after the
 *   end of the lease, the server has IFEQ.
 * - A DELEX may have found another value, so it shows only the renewals before the end of the lease.
 *
 *   SET NX      SET IFEQ      SET IFEQ   │ old end      DELEX
 */
export function proveRenewals(to: Context, key: LockKey, token: string, at: RedisTime, isFound: boolean): boolean {
  const mirror = key.mirrors?.tokens;
  if (!mirror || !mayBeRenewed(key) || !key.holders.has(token)) return false;
  if (isFound && isPast(key, at)) to.hasIfEqual = true;
  if (!to.hasIfEqual || !(isFound || mirror.isStateKnown)) return false;
  const own = mirror.unreportedRenewals.splice(0).filter((renewal) => renewal.token === token);
  const isHeard = to.hearsEnds && key.watchEpoch === to.watchEpoch;
  return reportAll(
    to,
    key,
    own,
    (renewal) => isFound || isHeard || key.expiresAt == null || renewal.at < key.expiresAt,
  );
}

/**
 * Reports these renewals up to the first one that is not proven. Attempts whose outcome is not known stay undecided.
 */
function reportAll(
  to: Context,
  key: LockKey,
  renewals: readonly Unreported[],
  isShown: (renewal: Unreported) => boolean = () => true,
): boolean {
  const { unreported } = tokenMirrorOf(key);
  const attempts = [...unreported];
  let hasReported = false;
  for (const renewal of renewals) {
    if (!isShown(renewal)) break;
    const { token, at, by, lease } = renewal;
    if (lease === null) key.expiresAt = undefined;
    renew(to, { key, token, at, from: { db: key.db, by, released: undefined }, certainty: 'inferred' }, lease);
    hasReported = true;
  }
  unreported.splice(0, unreported.length, ...attempts);
  return hasReported;
}

/** Whether a lease ends at the time that a read found; both may have no end. */
function isEndOf(lease: Lease | null, expiresAt: RedisTime | null): boolean {
  if (lease === null || expiresAt === null) return lease === null && expiresAt === null;
  return isSameEnd(plusMillis(lease.setAt, lease.ms), expiresAt);
}

/** Whether the previous end is known, and differs from this one. Null: no end. */
function isOtherEnd(before: RedisTime | null | undefined, expiresAt: RedisTime | null): boolean {
  if (before === undefined) return false;
  return before === null || expiresAt === null ? before !== expiresAt : !isSameEnd(before, expiresAt);
}

/** Whether the lease had certainly ended by `at`, even with the error of clocks and reads. */
function isPast({ expiresAt }: LockKey, at: RedisTime): boolean {
  return expiresAt != null && at > plusMillis(expiresAt, SAME_END);
}

function isSameEnd(before: RedisTime, after: RedisTime): boolean {
  return Math.abs(millisBetween(before, after)) <= SAME_END;
}
