import { type Millis, plusMillis, type RedisTime } from '../../../base/time.ts';
import type { ActionOf } from '../../action.ts';
import type { Context, Origin } from '../../context.ts';
import { endInValue } from '../../libraries/end-in-value.ts';
import type { LockKey } from '../../mirror/lock-key.ts';
import { tokenMirrorOf } from '../../mirror/tokens/token-memory.ts';
import { expire } from '../expire.ts';
import { gain } from './token-hold.ts';

/** Clients judge the end by their own clocks, some in whole seconds. */
const CLOCKS_DIFFER: Millis = 1000;

/**
 * Applies a command that wrote another value over the one of a lock, if both values show what it means. Returns `false` if it is
 * anything else: then the lock was taken away.
 */
export function applyNextValue(to: Context, key: LockKey, action: ActionOf<'delete'>, from: Origin): boolean {
  return applyNextEnd(to, key, action, from) || isCounted(to, key, action);
}

/**
 * A command put another end into a lock whose value is the end of its lease. After the old end the client took the lock over:
 * the hold before has expired. Before it, only GETSET is not a loss: a client that lost the race for an expired lock moved the end.
 * Returns `false` if it is anything else.
 *
 *   SETNX k 8.0     ── 8.0 ──     GETSET k 12.0   another client took it over
 *                                 GETSET k 12.1   a third one was too late, and its caller sees 12.0
 */
function applyNextEnd(to: Context, key: LockKey, action: ActionOf<'delete'>, from: Origin): boolean {
  const { at, command, value } = action;
  const [[holder, { since }] = ['', { since: at }], ...others] = key.holders;
  if (key.kind !== 'token-lock' || value === undefined || others.length > 0) return false;
  const end = endInValue(holder, since);
  if (end === undefined || endInValue(value, at) === undefined) return false;
  if (end > plusMillis(at, CLOCKS_DIFFER)) {
    if (command !== 'GETSET') return false;
    tokenMirrorOf(key).alias = { value, holder };
    return true;
  }
  expireAt(to, key, end, at);
  gain(to, { key, token: value, at, from, certainty: 'inferred' }, null);
  return true;
}

/** Ends the hold at the end that its value names. */
function expireAt(to: Context, key: LockKey, end: RedisTime, now: RedisTime): void {
  key.expiresAt = end;
  expire(to, key, now);
}

/**
 * A command wrote another small number over one: `SET k 0` over the 1 that was set if the key did not exist. Clients count in this
 * key, as the rate limiters of Dramatiq do, so no value is a token of a holder.
 */
function isCounted(to: Context, key: LockKey, { at, value = '', command }: ActionOf<'delete'>): boolean {
  const [holder = '', ...others] = key.holders.keys();
  const isCount = others.length === 0 && SMALL_NUMBER.test(holder) && SMALL_NUMBER.test(value);
  if (!isCount || !WRITES.has(command) || key.mirrors?.tokens?.isSure) return false;
  to.keys.drop(key);
  to.strangeLocks.note(key.db, { name: key.name, form: 'counter', at });
  return true;
}

const SMALL_NUMBER = /^\d{1,6}$/;

/** Commands that write a whole value. */
const WRITES: ReadonlySet<string> = new Set(['SET', 'SETEX', 'PSETEX', 'GETSET']);
