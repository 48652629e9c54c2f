import { type Millis, plusMillis, type RedisTime } from '../../../base/time.ts';
import type { ClientsSignal } from '../../../signals/signal.ts';
import type { Context } from '../../context.ts';
import { isLockName } from '../../libraries/token-found.ts';
import { hasNoPool } from '../../libraries/token-libraries.ts';
import type { LockKey } from '../../mirror/lock-key.ts';
import { clientOf } from '../../names/names.ts';
import { presumeGone } from '../passing-time.ts';
import type { Presence } from './presence.ts';

/** A lease that ends later than this after the acquisition (50 min) is long. */
const LONG: Millis = 3_000_000;

/**
 * Applies a CLIENT LIST: reports the clients whose presence has changed, then presumes the waiters of gone clients
 * gone. If the list is unavailable, the presence of the clients is unknown.
 */
export function applyClientList(to: Context, presence: Presence, step: ClientsSignal): void {
  if (step.isUnavailable) return presence.blindSpotBegan(step.at);
  if (to.hasCommands) learnLongTokens(to, step.at);
  const { gone, lost } = to.clients.gone(step.clients, step.at);
  for (const address of gone) to.waits.listeners.forget(address);
  presence.take(step, lost);
  for (const wait of to.waits.abandoned()) presumeGone(to, wait, step.at);
}

/**
 * Notes the connections on which tokens and permits that are still held after 3 s were acquired, so that the end of
 * such a connection is noticed. A token counts only if its lease is long, and if its client also releases the lock.
 */
function learnLongTokens(to: Context, now: RedisTime): void {
  for (const { db, lock, token, by, name, at, isPermit } of to.longTokens.takeSettled(now)) {
    const key = to.keys.find(db, lock);
    if (isPermit) {
      if (key?.mirrors?.counter?.deadlines.has(token)) to.clients.learnToken(by, token, at, { name });
      continue;
    }
    const isLong = key?.expiresAt == null || key.expiresAt > plusMillis(at, LONG);
    if (!key?.holders.has(token) || !isLong || !staysWithClient(key)) continue;
    to.clients.learnToken(by, clientOf(token), at, { name, hasNoPool: hasNoPool(key.mirrors?.tokens?.library) });
  }
}

/**
 * Whether the client that acquired a lock also releases it: the key is named like a lock, or it is a library's lock
 * without an end, which its client meant to unlock. Other clients acquire a lock with a long lease for a job that
 * another process ends.
 */
function staysWithClient(key: LockKey): boolean {
  return isLockName(key.name) || (key.expiresAt === null && key.mirrors?.tokens?.library !== undefined);
}
