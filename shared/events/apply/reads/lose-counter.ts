import type { RedisTime } from '../../../base/time.ts';
import type { Context } from '../../context.ts';
import type { Certainty } from '../../event.ts';
import { isCounterKind } from '../../kinds/kinds.ts';
import { emptyCounter, rememberExpired } from '../../mirror/counter.ts';
import type { LockKey } from '../../mirror/lock-key.ts';

/** Commands after which another value may be at the key, so it is read. */
const OVERWRITING = new Set([...['SET', 'SETEX', 'PSETEX', 'GETSET', 'MSET', 'MSETEX', 'RESTORE', 'RENAME', 'COPY']]);

/**
 * Applies the loss of a counter's key that the counter's own scripts did not cause. Returns `false` if the key is not a
 * counter.
 */
export function loseCounter(to: Context, key: LockKey, how: Loss): boolean {
  if (!isCounterKind(key.kind)) return false;
  const { value, total, isThere, isSet, deadlines, expired } = key.mirrors?.counter ?? emptyCounter();
  const { at, by, command, type, certainty = 'observed' } = how;
  const isOverwritten = command !== undefined && OVERWRITING.has(command);
  if (isOverwritten) to.onDoubt(key);
  const about = { db: key.db, lock: key.name, kind: key.kind, at, by, certainty };
  key.mirrors ??= {};
  key.mirrors.counter = isSet
    ? { ...emptyCounter(), isSet, seen: 'all' }
    : { ...emptyCounter(), value: isOverwritten ? undefined : null, isAsked: isOverwritten };
  if (isSet && type === 'lease.expired') {
    for (const id of [...expired, ...deadlines.keys()]) rememberExpired(key.mirrors.counter, id);
  }
  if (value === null) return true;
  key.expiresAt = undefined;
  const sent = command === undefined ? undefined : { command };
  const isKnown = value !== undefined || total !== undefined || isThere;
  // A command that writes a number may bring the counter from another server.
  if (isOverwritten && !isKnown) return true;
  if (type === 'lease.expired') key.lastExpiry = to.emit(about, { type, mode: 'permit' });
  else if (key.kind === 'latch' && type === 'lock.deleted') to.emit(about, { type: 'latch.deleted', ...sent });
  else if (isKnown) key.lastLoss = to.emit(about, { type, ...sent });
  return true;
}

type Loss = {
  readonly type: 'lock.deleted' | 'lock.evicted' | 'db.flushed' | 'lease.expired';
  readonly at: RedisTime;
  readonly command?: string;
  readonly by?: string | undefined;
  readonly certainty?: Certainty;
};

/** Ends a counter whose lifetime had ended by `at`, if Redis has not reported it. */
export function endCounterIfOver(to: Context, key: LockKey, at: RedisTime): void {
  const { expiresAt } = key;
  if (expiresAt == null || expiresAt > at || !isCounterKind(key.kind)) return;
  loseCounter(to, key, { type: 'lease.expired', at: expiresAt, certainty: 'inferred' });
}
