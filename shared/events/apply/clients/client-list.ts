import { type Millis, plusMillis, type RedisTime } from '../../../base/time.ts';
import type { ClientsSignal } from '../../../signals/signal.ts';
import type { Context } from '../../context.ts';
import { isLockName } from '../../libraries/token-found.ts';
import { hasNoPool } from '../../libraries/token-libraries.ts';
import type { LockKey } from '../../mirror/lock-key.ts';
import { clientOf } from '../../names/names.ts';
import { presumeGone } from '../passing-time.ts';
import type { Presence } from './presence.ts';

const LONG: Millis = 3_000_000;

/**
 * Applies a CLIENT LIST: reports the clients that connected or are gone, then presumes the waiters of gone clients
 * gone.
 */
export function applyClientList(to: Context, presence: Presence, step: ClientsSignal): void {
  if (step.isUnavailable) return presence.blindSpotBegan(step.at);
  if (to.hasCommands) learnLongTokens(to, step.at);
  const { gone, lost } = to.clients.gone(step.clients, step.at);
  for (const address of gone) to.waits.listeners.forget(address);
  presence.take(step, lost);
  for (const wait of to.waits.abandoned()) presumeGone(to, wait, step.at);
}

/** A token or permit that is still held after 3 s belongs to the client of the connection that acquired it. */
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
 * Whether the client that took a lock also releases it. Some clients take a lock with a long lease for a job that
 * another process ends. If a library's lock has no end, its client meant to unlock it.
 */
function staysWithClient(key: LockKey): boolean {
  return isLockName(key.name) || (key.expiresAt === null && key.mirrors?.tokens?.library !== undefined);
}
