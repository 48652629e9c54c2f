import { millisBetween, plusMillis, type RedisTime } from '../../base/time.ts';
import type { ActionOf } from '../action.ts';
import type { Context, Origin } from '../context.ts';
import type { LockKey } from '../mirror/lock-key.ts';
import { tokenMirrorOf } from '../mirror/token-memory.ts';
import type { Appliers } from './appliers.ts';
import { counterKey, counterOf } from './counters.ts';
import { PERMITS } from './permits.ts';

/** Actions of semaphores that are a sorted set: each member is a permit, and no key has the number of free ones. */
export const PERMIT_SETS: Appliers<'lease-permits' | 'refuse-lease' | 'remove-members'> = {
  'lease-permits': lease,
  'refuse-lease': refuse,
  'remove-members': remove,
};

const KIND = 'expirable-semaphore';

function semaphore({ name }: LockKey) {
  return { lock: name, kind: KIND, isProven: true } as const;
}

/** The key of such a set; undefined if it may be any other sorted set. */
function setOf(
  to: Context,
  { lock, at, library, isProven }: ActionOf<'lease-permits' | 'refuse-lease'>,
  { db }: Origin,
): LockKey | undefined {
  const known = to.keys.find(db, lock);
  if (!known?.mirrors?.counter?.isSet && (!isProven || known)) return undefined;
  const key = counterKey(to, db, lock, KIND, at);
  counterOf(key).isSet = true;
  const mirror = tokenMirrorOf(key);
  if (library !== undefined) mirror.library = library;
  if (library !== undefined) mirror.isSure = true;
  return key;
}

function lease(to: Context, action: ActionOf<'lease-permits'>, from: Origin): void {
  const key = setOf(to, action, from);
  if (!key) return;
  const { at, ids, score, bound } = action;
  reclaim(to, key, action, from);
  const counter = counterOf(key);
  const expiresAt = plusMillis(at, millisBetween(bound, score));
  const deadlines = ids.map((id) => ({ id, expiresAt }));
  const isRenewal = ids.every((id) => counter.deadlines.has(id));
  const of = { at, deadlines, ...semaphore(key) };
  if (isRenewal) PERMITS['renew-permits'](to, { ...of, do: 'renew-permits' }, from);
  else PERMITS['take-permits'](to, { ...of, do: 'take-permits', permits: ids.length }, from);
  counter.scores ??= new Map();
  for (const id of ids) if (counter.deadlines.has(id)) counter.scores.set(id, score);
  key.expiresAt = expiresAt; // each script lets the key end with the newest lease
}

function refuse(to: Context, action: ActionOf<'refuse-lease'>, from: Origin): void {
  const key = setOf(to, action, from);
  if (!key) return;
  const { at, permits, renewed } = action;
  reclaim(to, key, action, from);
  if (renewed === undefined) {
    PERMITS['refuse-permits'](to, { at, permits, ...semaphore(key), do: 'refuse-permits' }, from);
    return;
  }
  const reason = counterOf(key).expired.has(renewed) ? 'expired' : 'no-lock';
  const about = { db: key.db, lock: key.name, kind: key.kind, at, by: from.by };
  to.emit(about, { type: 'renewal.refused', holder: renewed, mode: 'permit', reason });
}

/** Every script first removes the members whose lease is over, by the clock of its client. */
function reclaim(to: Context, key: LockKey, { at, bound }: { at: RedisTime; bound: RedisTime }, from: Origin): void {
  const { scores = new Map<string, RedisTime>() } = counterOf(key);
  const ids = [...scores].flatMap(([id, score]) => (score <= bound ? [id] : []));
  if (ids.length === 0) return;
  for (const id of ids) scores.delete(id);
  const over = { at, ids, permits: ids.length, isReclaim: true, ...semaphore(key) } as const;
  PERMITS['give-permits'](to, { ...over, do: 'give-permits' }, from);
  endIfEmpty(key);
}

/** A permit that had expired was removed before; any other was there. */
function remove(to: Context, { at, lock, ids }: ActionOf<'remove-members'>, from: Origin): void {
  const key = to.keys.find(from.db, lock);
  const { isSet, deadlines, expired, scores } = key?.mirrors?.counter ?? {};
  if (!key || !isSet || !deadlines || !expired) return;
  const known = ids.filter((id) => deadlines.has(id));
  for (const id of ids) {
    if (expired.has(id) && !deadlines.has(id)) {
      PERMITS['refuse-permit-release'](to, { at, id, ...semaphore(key), do: 'refuse-permit-release' }, from);
    }
  }
  if (known.length === 0) return;
  for (const id of known) scores?.delete(id);
  PERMITS['give-permits'](to, { at, ids: known, permits: known.length, ...semaphore(key), do: 'give-permits' }, from);
  endIfEmpty(key);
}

/** Redis deletes a set without members, so its lease no longer ends. */
function endIfEmpty(key: LockKey): void {
  const counter = counterOf(key);
  if (counter.deadlines.size > 0) return;
  counter.isThere = false;
  key.expiresAt = undefined;
}
