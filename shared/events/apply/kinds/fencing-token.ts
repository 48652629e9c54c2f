import type { RedisTime } from '../../../base/time.ts';
import type { ActionOf } from '../../action.ts';
import type { Context, Origin } from '../../context.ts';
import type { Companions } from '../../kinds/companion.ts';
import type { LockKey } from '../../mirror/lock-key.ts';
import type { Appliers } from '../appliers.ts';
import { keyOf } from '../reads/known-key.ts';

/** The counter of a fenced lock. No MONITOR line shows its value, so it is read, and counted from then on. */
export const FENCING_TOKEN: Appliers<'raise-token'> = {
  'raise-token'(to: Context, { lock, at }: ActionOf<'raise-token'>, { db }: Origin): void {
    const key = keyOf(to, db, lock, 'fenced-lock', at);
    key.mirrors ??= {};
    if (key.mirrors.token !== undefined) key.mirrors.token++;
    else if (!key.mirrors.isTokenAsked) to.onDoubt(key);
    key.mirrors.isTokenAsked = true;
  },
};

/**
 * Applies the token of the newest acquisition that a read found. If the lock is held and the token was not known, or
 * differs, reports the token.
 */
export function applyFoundToken(to: Context, key: LockKey, found: Companions, at: RedisTime): void {
  const values = found['fencing-token'];
  if (!values || (values.length === 0 && key.kind !== 'fenced-lock')) return;
  const [value = '0'] = values;
  if (!/^\d{1,19}$/.test(value)) return;
  const token = BigInt(value);
  const before = key.mirrors?.token;
  if (before === token) return;
  key.mirrors ??= {};
  key.mirrors.token = token;
  const [holder] = key.holders.keys();
  if (key.kind !== 'fenced-lock' || holder === undefined) return;
  to.emit(
    { db: key.db, lock: key.name, kind: key.kind, at },
    { type: 'lock.learned', holder, fencingToken: String(token) },
  );
}

/** The token of the newest acquisition of a fenced lock, as events report it; `undefined` if it is not known. */
export function fencingTokenOf({ kind, mirrors }: LockKey): string | undefined {
  return kind === 'fenced-lock' && mirrors?.token !== undefined ? String(mirrors.token) : undefined;
}

/** The expected counter, in the form of a read. */
export function expectedToken({ mirrors }: LockKey): Companions | undefined {
  return mirrors?.token === undefined ? undefined : { 'fencing-token': [String(mirrors.token)] };
}

/** The counter was deleted, but not by the lock's own scripts: it starts again from 0. */
export function applyLostToken(key: LockKey): void {
  if (key.mirrors) key.mirrors.token = 0n;
}
