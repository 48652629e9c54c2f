import type { RedisTime } from '../../base/time.ts';
import { keyEventFromPush } from '../../signals/keyspace-message.ts';
import type { ActionOf } from '../action.ts';
import type { Context, Origin } from '../context.ts';
import type { Certainty } from '../event.ts';
import { companionFrom, isCounterKind, isStringKind, isTokenKind } from '../kinds/kinds.ts';
import { clearKey, forgetBefore, holderIds, type LockKey } from '../mirror/lock-key.ts';
import { acquiredBy, isTokenOf as isTokenFound } from '../mirror/tokens/token-memory.ts';
import type { TokenMirror } from '../mirror/tokens/token-mirror.ts';
import type { Appliers } from './appliers.ts';
import { applyLoss, applyLossOfAll } from './companion-reads.ts';
import { expire } from './expire.ts';
import { setEnd } from './lease-set.ts';
import { isHeldUnseen, isOver, isTokenOf, noteOtherType, wasOverForCommand } from './proof.ts';
import { loseCounter } from './reads/lose-counter.ts';
import { noteForeignValue } from './reads/token-reads.ts';
import { applyNextValue } from './tokens/next-value.ts';
import { deleteOwnLock, overwriteOwnLock } from './tokens/own-locks.ts';
import { PERMIT_SETS } from './tokens/permit-sets.ts';
import { applyTokenDelete, isReleasedBy } from './tokens/token-delete.ts';

/** What commands outside of the lock's own scripts do to keys: they remove, move, restore or change them. */
export const KEYS: Appliers<'delete' | 'flush' | 'swap' | 'arrive' | 'may-change' | 'strange-lock'> = {
  delete: remove,
  flush,
  swap,
  arrive,
  'may-change': mayChange,
  'strange-lock': (to, { key: name, form, at }, { db }) => {
    if (!to.keys.find(db, name)) to.strangeLocks.note(db, { name, form, at });
  },
};

/** Reports the loss of a lock, or applies the loss of a key beside it. */
export function remove(to: Context, action: ActionOf<'delete'>, from: Origin): void {
  const { db, by } = from;
  const { command, at } = action;
  const isDeletion = DELETES.has(command) && !action.mayFail;
  const key = to.keys.find(db, action.key) ?? (isDeletion ? deleteOwnLock(to, action.key, at, from) : undefined);
  if (!key) {
    if (action.value !== undefined) overwriteOwnLock(to, action.key, action.value, db);
    return removeCompanion(to, action, from);
  }
  if (action.value !== undefined && isTokenOf(key, action.value)) return setAgain(to, key, action, from);
  const mayFail = action.mayFail === 'always' || (action.mayFail === 'if-not-string' && !isStringKind(key.kind));
  if (mayFail && !hasTakenAway(action.key, from)) {
    if (!STRINGS_ONLY.has(command) || isStringKind(key.kind)) {
      key.mirrors ??= {};
      key.mirrors.mayBeTaken = { at, command, by, comesBack: action.comesBack };
      if (isCounterKind(key.kind) && WRITES_STRING.has(command)) key.mirrors.mayHaveCome = true;
      if (key.mirrors.tokens) key.mirrors.tokens.isStateKnown = false; // the next attempt may find the lock free
    }
    return doubtIfInUse(to, key);
  }
  if (action.holders && key.mirrors?.counter?.isSet) {
    return PERMIT_SETS['remove-members'](to, { at, do: 'remove-members', lock: key.name, ids: action.holders }, from);
  }
  if (!action.holders) noteOtherType(key, WRITES_STRING.has(command) && !isStringKind(key.kind));
  if (key.mirrors?.tokens && applyNextValue(to, key, action, from)) return;
  const until = (action.keepsEnd ? key.expiresAt : action.valueEnds) ?? null;
  noteForeignValue(key, WRITES_STRING.has(command) ? { until } : undefined);
  noteReplaced(key, command);
  if (key.mirrors?.tokens && WRITES_STRING.has(command) && isTakenOver(key, key.mirrors.tokens, action, by)) {
    key.mirrors.mayHaveCome = true;
    to.onDoubt(key);
  }
  if (key.mirrors?.tokens && applyTokenDelete(to, key, action, from)) return;
  if (loseCounter(to, key, { type: 'lock.deleted', at, command, by })) return;
  if (key.holders.size === 0)
    return action.holders ? undefined : loseUnseen(to, key, { type: 'lock.deleted', at, command, by });
  if (wasOverForCommand(to, key, at)) return expire(to, key, at);
  if (action.holders) {
    const fields = [...key.holders.keys()];
    const gone = fields.filter((field) => action.holders?.includes(field));
    if (gone.length < fields.length) {
      if (gone.length > 0) to.onDoubt(key); // the other holders stay
      return;
    }
  }
  lose(to, key, { type: 'lock.deleted', at, command, by });
  key.watchEpoch = to.watchEpoch;
}

/**
 * A command wrote the holder's token again, which only sets the end of the lease. If the lease had already ended, the
 * command acquires the lock again, and a read finds the hold. If Redis may have rejected the command, the end is not
 * known until a read.
 */
function setAgain(to: Context, key: LockKey, action: ActionOf<'delete'>, { by }: Origin): void {
  const { at, mayFail, keepsEnd, valueEnds = null, value } = action;
  if (wasOverForCommand(to, key, at)) {
    expire(to, key, at);
    key.mirrors ??= {};
    key.mirrors.mayHaveCome = true;
    return to.onDoubt(key);
  }
  if (mayFail === 'always') {
    key.expiresAt = undefined;
    return to.onDoubt(key);
  }
  if (keepsEnd) return;
  setEnd(to, key, { at, by, expiresAt: valueEnds, wrote: value });
}

/**
 * Whether a client other than the holder wrote a token, which a read will find. The holder itself would write a result.
 */
function isTakenOver(
  key: LockKey,
  mirror: TokenMirror,
  { value }: ActionOf<'delete'>,
  by: string | undefined,
): boolean {
  if (value === undefined || !isTokenFound(key, value)) return false;
  const own = by === undefined ? undefined : acquiredBy(mirror, by);
  return own === undefined || !key.holders.has(own);
}

/** Commands that delete the keys that they name. */
const DELETES: ReadonlySet<string> = new Set(['DEL', 'UNLINK', 'DELEX']);

/** Stores whether a command left another value in place of a token. */
function noteReplaced({ kind, mirrors }: LockKey, command: string): void {
  if (!isTokenKind(kind) || !mirrors?.tokens) return;
  mirrors.tokens.isReplaced = WRITES_STRING.has(command) || EDITS.has(command) ? true : undefined;
}

/** Commands that change a part of a string. */
const EDITS: ReadonlySet<string> = new Set(['APPEND', 'SETRANGE', 'SETBIT', 'BITFIELD']);

/** Commands that write a whole string. */
const WRITES_STRING: ReadonlySet<string> = new Set(['SET', 'SETEX', 'PSETEX', 'GETSET', 'MSET']);

/** Commands of which a form that may fail is taken as failed at a key that is not a string. */
const STRINGS_ONLY: ReadonlySet<string> = new Set(['SET', 'GETSET', 'GETDEL', 'DELEX']);

/** Key events that show that the key, or the value it had, is gone. */
const TAKES_KEY_OR_VALUE: ReadonlySet<string> = new Set([
  'del',
  'rename_from',
  'rename_to',
  'move_from',
  'restore',
  'set',
  'copy_to',
]);

/** Whether a key event shows that the command removed or replaced the key. */
function hasTakenAway(name: string, from: Origin): boolean {
  return hasKeyEvent(from, name, (event) => TAKES_KEY_OR_VALUE.has(event));
}

/** Whether a command caused a key event of this key that `isWanted` accepts. */
export function hasKeyEvent({ db, pushes = [] }: Origin, name: string, isWanted: (event: string) => boolean): boolean {
  return pushes.some((push) => {
    const reported = keyEventFromPush(push);
    return reported?.db === db && reported.key === name && isWanted(reported.event);
  });
}

function removeCompanion(to: Context, action: ActionOf<'delete'>, from: Origin): void {
  const { key: name, at, command } = action;
  const found = companionFrom(name);
  const key = found && lockBeside(to, from.db, found);
  if (!found || !key?.mirrors) return;
  if (action.mayFail && !hasTakenAway(name, from)) return to.onDoubt(key);
  applyLoss(to, key, found, { at, command, by: from.by });
}

/** The lock to which a key beside it belongs. */
function lockBeside(to: Context, db: number, { lock }: { readonly lock: string }): LockKey | undefined {
  return to.keys.find(db, to.keys.nameFrom(db, lock));
}

function flush(to: Context, { at, command, allDatabases }: ActionOf<'flush'>, { db, by }: Origin): void {
  const flushedDb = allDatabases ? undefined : db;
  loseAll(to, flushedDb, { type: 'db.flushed', at, command, by });
}

/**
 * The locks of each database are now in the other one, under the same names, where a read finds them. Waiters stay:
 * their connections keep using the same database.
 */
function swap(to: Context, { at, command, databases }: ActionOf<'swap'>, { by }: Origin): void {
  const [first, second] = databases;
  const moved = databases.map((db) => [...to.keys.held(db), ...[...to.keys.counters].filter((key) => key.db === db)]);
  for (const db of databases) {
    loseAll(to, db, { type: 'lock.deleted', at, command, by });
    for (const key of to.keys.all(db)) forgetBefore(key); // each name belongs to another key now
  }
  for (const { name, kind } of moved[0] ?? []) to.onDoubt(to.keys.take(second, name, kind, to.watchEpoch));
  for (const { name, kind } of moved[1] ?? []) to.onDoubt(to.keys.take(first, name, kind, to.watchEpoch));
}

/**
 * A key that was on another shard may have changed there unseen: what is known here from before does not count. A
 * command on the same server may have found no key to move, or another key at the target: a read shows what it did.
 */
function arrive(to: Context, { key: name, here }: ActionOf<'arrive'>, { db: ofClient }: Origin): void {
  const db = here ?? ofClient;
  const found = companionFrom(name);
  const key = to.keys.find(db, name) ?? (found && lockBeside(to, db, found));
  if (!key) return;
  if (here === undefined) return forgetBefore(key);
  if (key.holders.size > 0) return;
  key.mirrors ??= {};
  key.mirrors.mayHaveCome = true;
  to.onDoubt(key);
}

/**
 * Asks for a read of a lock that a command may have changed. A free lock may be held afterwards: Valkey 9 moves the
 * keys of a slot with HMSET and SET.
 */
function mayChange(
  to: Context,
  { key: name, isPlainHold, command, isEdit, at }: ActionOf<'may-change'>,
  { db, by }: Origin,
): void {
  const own = to.keys.find(db, name);
  if (!own && isPlainHold) to.plainHashes.note(db, name);
  const beside = own ? undefined : companionFrom(name);
  const key = own ?? (beside && lockBeside(to, db, beside));
  if (!key) return;
  if (own && isCounterKind(own.kind))
    return mayChangeCounter(to, own, { at, by, command: isEdit ? undefined : command });
  if (own && command !== undefined && key.holders.size > 0) {
    key.mirrors ??= {};
    const isOnlyIfGone = isEdit && key.mirrors.tokens ? undefined : true;
    key.mirrors.mayBeTaken = { at, command, by, ...(isOnlyIfGone && { isOnlyIfGone }) };
  }
  if (!own || key.holders.size > 0) return doubtIfInUse(to, key);
  key.mirrors ??= {};
  key.mirrors.mayHaveCome = true;
  to.onDoubt(key);
}

/**
 * Asks for a read of a counter to which a command may have written another number. `command`: it may have removed the
 * key instead.
 */
export function mayChangeCounter(
  to: Context,
  key: LockKey,
  {
    at,
    by,
    command,
  }: { readonly at: RedisTime; readonly by: string | undefined; readonly command: string | undefined },
): void {
  key.mirrors ??= {};
  key.mirrors.mayHaveCome = true;
  if (command !== undefined) key.mirrors.mayBeTaken = { at, command, by };
  to.onDoubt(key);
}

/** Asks for a read of a counter, or of a lock that is held. */
function doubtIfInUse(to: Context, key: LockKey): void {
  if (key.holders.size > 0 || isCounterKind(key.kind)) to.onDoubt(key);
}

type Loss = {
  readonly type: 'db.flushed' | 'lock.deleted';
  readonly at: RedisTime;
  readonly command: string;
  readonly by: string | undefined;
};

function loseAll(to: Context, db: number | undefined, how: Loss): void {
  for (const key of [...to.keys.held(db)]) {
    // Redis deletes keys without checking whether their leases have ended.
    if (isOver(key, how.at)) expire(to, key, how.at);
    else lose(to, key, how);
  }
  for (const key of to.keys.all(db)) {
    if (key.holders.size === 0) loseUnseen(to, key, how);
    if (!key.mirrors) continue;
    loseCounter(to, key, how);
    applyLossOfAll(to, key, how);
  }
}

/** Reports that a flush removed a held lock, because a read after the flush found no key. */
export function flushOne(to: Context, key: LockKey, at: RedisTime): void {
  lose(to, key, { type: 'db.flushed', at }, 'inferred');
}

/**
 * Updates the mirror after a read did not find the expected holds. Returns whether an earlier command that may have
 * removed them explains that. `isGone`: the read found no key.
 */
export function loseIfTaken(to: Context, key: LockKey, isGone = false): boolean {
  const taken = key.mirrors?.mayBeTaken;
  if (taken?.isOnlyIfGone && !isGone) return false;
  if (!taken || !key.mirrors || [...key.holders.values()].some(({ since }) => since > taken.at)) return false;
  key.mirrors.mayBeTaken = undefined;
  if (!isReleasedBy(to, key, taken)) lose(to, key, { type: 'lock.deleted', ...taken }, 'inferred');
  noteReplaced(key, taken.command);
  // the command may have written the value that the read found
  if (key.mirrors.tokens?.isReplaced) key.mirrors.mayHaveCome = true;
  return true;
}

/**
 * Reports the loss of a hold that was not seen: only a refused thread shows that there was one. The lease may have
 * ended before the command.
 */
function loseUnseen(to: Context, key: LockKey, how: Loss): void {
  if (isHeldUnseen(to, key)) lose(to, key, how, 'inferred');
}

function lose(
  to: Context,
  key: LockKey,
  { type, at, command, by }: Pick<Loss, 'type' | 'at'> & Partial<Loss>,
  certainty: Certainty = 'observed',
): void {
  const holders = holderIds(key);
  const [holder] = holders;
  key.lastLoss = to.emit(
    { db: key.db, lock: key.name, kind: key.kind, at, by, certainty },
    {
      type,
      ...(command === undefined ? undefined : { command }),
      ...(holder === undefined ? undefined : { holder, holders }),
    },
  );
  clearKey(key, 'gone');
}
