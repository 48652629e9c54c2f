import { type Millis, millisBetween } from '../../base/time.ts';
import { keyEventFromPush } from '../../signals/keyspace-message.ts';
import type { ActionOf } from '../action.ts';
import type { TokenAction } from '../actions/token-action.ts';
import type { Context, Origin } from '../context.ts';
import type { LockKey } from '../mirror/lock-keys.ts';
import { tokenMirrorOf } from '../mirror/token-memory.ts';
import type { TokenMirror } from '../mirror/token-mirror.ts';
import { isCounterKind } from '../names/counter-names.ts';
import { isLikeOwnLock } from '../recognise/token-found.ts';
import type { Appliers } from './appliers.ts';
import { remove } from './keys.ts';
import { learnKind } from './reads/known-key.ts';
import { isTakenByOther, proveAttempt } from './reads/token-reads.ts';
import { drop, endIfOver, gain, miss, overwrite, refuse, regain, renew, type Turn } from './token-hold.ts';

/** Locks that are a string with a token. */
export const TOKENS: Appliers<TokenAction['do']> = {
  'token-take': (to, action, from) => {
    const turn = turnOf(to, action, from);
    if (turn) gain(to, turn, action.lease);
  },
  'token-keep': (to, action, from) => {
    const turn = turnOf(to, action, from);
    if (!turn) return;
    const isHeld = turn.key.holders.has(turn.token) && !endIfOver(to, turn);
    if (isHeld) renew(to, turn, action.lease);
    else gain(to, turn, action.lease);
  },
  'token-again': (to, action, from) => {
    const turn = turnOf(to, action, from);
    if (turn) regain(to, proved(to, sameToken(turn, action.prefix)), action.lease);
  },
  'token-renew': (to, action, from) => {
    const turn = turnOf(to, action, from);
    if (turn) renew(to, proved(to, turn), action.lease);
  },
  'token-drop': (to, action, from) => {
    const turn = turnOf(to, action, from);
    if (turn) drop(to, proved(to, turn));
  },
  'token-refuse': (to, action, from) => {
    const isTaken = (name: string) => (to.keys.find(from.db, name)?.holders.size ?? 0) > 0;
    const lock = action.among?.find(isTaken) ?? action.lock;
    const turn = turnOf(to, { ...action, lock }, from);
    if (turn) refuse(to, turn);
  },
  'token-miss': missed,
  'token-try': tried,
  'token-wake': (to, { lock, channel, message, at }, { db, by, released }) => {
    const key = to.keys.find(db, lock);
    if (key?.kind !== 'token-lock') return;
    to.emit({ db, lock, kind: key.kind, at, by, because: [released] }, { type: 'wakeup.published', channel, message });
  },
};

type OfToken = Exclude<TokenAction, { do: 'token-wake' }>;

/** The turn an action means; undefined where it is about no lock as far as anybody can tell, or about nobody. */
function turnOf(to: Context, action: OfToken & { at: Turn['at'] }, from: Origin): Turn | undefined {
  const key = tokenKeyOf(to, action, from);
  if (!key) return undefined;
  const asked = action.token ?? tokenOf(key, from.by);
  const { alias } = tokenMirrorOf(key);
  const token = asked !== undefined && asked === alias?.value ? alias.holder : asked;
  return token === undefined ? undefined : { key, token, at: action.at, from };
}

/** The same turn as the holder's, where only the beginning of its value is compared. */
function sameToken(turn: Turn, prefix: number | undefined): Turn {
  const { key, token } = turn;
  const [holder] = key.holders.keys();
  if (prefix === undefined || holder === undefined || holder === token) return turn;
  if (holder.slice(0, prefix) !== token.slice(0, prefix)) return turn;
  tokenMirrorOf(key).alias = { value: token, holder };
  return { ...turn, token: holder };
}

/** The same turn, once its token's own attempt is told. */
function proved(to: Context, turn: Turn): Turn {
  proveAttempt(to, turn.key, turn.token, turn.at);
  return turn;
}

/** Whose turn it is where the command does not say: what its connection last had, else whoever holds the lock. */
function tokenOf(key: LockKey, by: string | undefined): string | undefined {
  const known = by === undefined ? undefined : tokenMirrorOf(key).tokenAt.get(by);
  const [holder] = key.holders.keys();
  return known ?? holder;
}

/** The lock's key; a new one only where it is sure, or looks like it, that it is a lock. */
function tokenKeyOf(to: Context, action: OfToken & { at: Turn['at'] }, { db, by }: OfOrigin): LockKey | undefined {
  const { lock, library } = action;
  const isSure = action.evidence === 'sure' || (library !== undefined && to.libraries.has(library));
  if (isSure && library !== undefined) to.libraries.add(library);
  const known = to.keys.find(db, lock);
  if (known && known.kind !== 'token-lock') {
    // A script that found no key and set one has it, whatever the name was used for before.
    const isTaken = action.do === 'token-take' && !isCounterKind(known.kind);
    if (!isTaken) return undefined;
    learnKind(to, known, 'token-lock', action.at);
  }
  const isNamed = known === undefined && to.isNamed(lock);
  // A cache too is asked and set; only a lock is set where nothing was.
  const isLike = action.do === 'token-take' || (action.do === 'token-try' && library !== undefined);
  const isOwn = !known && !isSure && !isLike && !isNamed;
  if (isOwn && !isOwnShown(to, action, { db, by })) return undefined;
  const key = known ?? to.keys.take(db, lock, 'token-lock', to.watchEpoch);
  const mirror = tokenMirrorOf(key);
  if (library !== undefined && (mirror.library === undefined || isSure)) mirror.library = library;
  mirror.isSure ||= isSure || isNamed || isOwn;
  if (isOwn) mirror.isOwn = true;
  if (isSure) mirror.isOwn = false; // its own script uses it
  to.ownLocks.forget(db, lock);
  return key;
}

type OfOrigin = Pick<Origin, 'db' | 'by'>;

/** Whether an attempt is on a lock of the application's own that the user wants to see. One that is not shown is offered. */
function isOwnShown(to: Context, action: OfToken & { at: Turn['at'] }, { db, by }: OfOrigin): boolean {
  const { token, lock, at } = action;
  if (action.do !== 'token-try' || action.ifKeyIs !== 'free' || action.lease === null || token === undefined)
    return false;
  if (!isLikeOwnLock(lock, token)) return false;
  if (!to.ownLocks.isShown) to.ownLocks.note(db, lock, { token, at, lease: action.lease, by });
  return to.ownLocks.isShown;
}

/** A comparison failed. Its script says for what; else it depends on whether the lock was ever this token's. */
function missed(to: Context, action: ActionOf<'token-miss'>, from: Origin): void {
  const turn = turnOf(to, action, from);
  if (!turn) return;
  const { key, token } = turn;
  const mirror = tokenMirrorOf(key);
  const isGranted = mirror.granted.has(token) || key.lost?.has(token) === true;
  switch (action.as) {
    case 'acquire':
      return refuse(to, turn);
    case 'renew':
      return miss(to, turn, 'renew', false);
    case 'release': {
      // Who never had the lock and was refused tidies up after its attempt: no unlock of anything.
      const { among = [key.name] } = action;
      const wasRefused = among.some((name) => to.waits.find(key.db, name, token));
      const isTidyingUp = !isGranted && (wasRefused || isUntold(mirror, token));
      if (isTidyingUp) return forgetUntold(mirror, token);
      // Some tidy up after each renewal that is refused as well, once.
      const { lastMiss } = mirror;
      const isAfterRenewal = lastMiss?.token === token && lastMiss.as === 'renew' && !lastMiss.isTidied;
      if (action.tidiesUp && isAfterRenewal) {
        lastMiss.isTidied = true;
        return;
      }
      const isTold = mirror.library === 'aioredlock' || mirror.library === 'shedlock';
      return miss(to, turn, 'release', isTold);
    }
    case 'query':
      return;
    default:
      if (isGranted) miss(to, turn, 'renew', false);
      else refuse(to, turn);
  }
}

/**
 * A plain command whose outcome no line shows. A key event does; else what was believed before does, and the event is
 * inferred while the key is read at once. Where nothing was known, nothing is told before that read.
 */
function tried(to: Context, action: ActionOf<'token-try'>, from: Origin): void {
  const { at, lock, lease, ifKeyIs, isDelete } = action;
  const isOther = to.keys.find(from.db, lock) && to.keys.find(from.db, lock)?.kind !== 'token-lock';
  if (isOther && ifKeyIs === 'any') return remove(to, { do: 'delete', at, key: lock, command: 'SET' }, from);
  const turn = turnOf(to, action, from);
  if (!turn) return;
  const { key, token } = turn;
  const mirror = tokenMirrorOf(key);
  const hasDone = hasCaused(to, from, key, isDelete ? 'del' : 'set');
  if (ifKeyIs !== 'free') proveAttempt(to, key, token, at);
  if (ifKeyIs === 'free' && hasDone === undefined && isTakenByOther(key, at)) {
    return refuse(to, { ...turn, certainty: 'inferred' });
  }
  const isUnknown = !mirror.isStateKnown || isNearEnd(key, at);
  if (ifKeyIs === 'free' && hasDone === undefined && isUnknown) {
    mirror.untold.push({ token, at, lease, by: from.by });
    if (mirror.untold.length > MOST_UNTOLD) forgetOneUntold(mirror);
    return to.onDoubt(key);
  }
  if (ifKeyIs === 'own' && hasDone === undefined && !isDelete && key.holders.has(token)) {
    // A server that does not know IFEQ shows the command all the same: a later end of the lease tells, or a script.
    mirror.untoldRenewal = { token, at, lease, by: from.by };
    return to.onDoubt(key);
  }
  if (ifKeyIs !== 'free' || hasDone !== false) endIfOver(to, turn); // who was refused met somebody, lease or not
  const [holder] = key.holders.keys();
  const isDone =
    hasDone ??
    (ifKeyIs === 'free' ? holder === undefined : ifKeyIs === 'own' ? holder === token : holder !== undefined);
  const told: Turn = hasDone === undefined ? { ...turn, certainty: 'inferred' } : turn;
  if (hasDone === undefined && isDone) to.onDoubt(key);
  switch (ifKeyIs) {
    case 'free':
      return isDone ? gain(to, told, lease) : refuse(to, told);
    case 'own':
      // A server that does not know IFEQ shows the command all the same; a script follows, and tells.
      if (!isDone && holder === token) return;
      if (!isDone) return miss(to, told, isDelete ? 'release' : 'renew', false);
      return isDelete ? void drop(to, told) : renew(to, told, lease);
    case 'any':
      if (!isDone) return miss(to, told, 'renew', false);
      if (holder === token) return renew(to, told, lease);
      return holder === undefined ? gain(to, told, lease) : overwrite(to, told, lease);
  }
}

/** Whether the lease ends about now: whether it did before the attempt or after, only Redis knows. */
function isNearEnd({ holders, expiresAt }: LockKey, at: Turn['at']): boolean {
  return holders.size > 0 && expiresAt != null && Math.abs(millisBetween(expiresAt, at)) <= NEAR_END;
}

const NEAR_END: Millis = 20;
const MOST_UNTOLD = 20;

/** Whether a key event says that the command changed the key; undefined where no such events are heard. */
function hasCaused(to: Context, { pushes = [] }: Origin, key: LockKey, event: 'set' | 'del'): boolean | undefined {
  const isTold = pushes.some((push) => {
    const told = keyEventFromPush(push);
    return told?.db === key.db && told.key === key.name && told.event === event;
  });
  if (isTold) to.hearsChanges = true;
  return isTold || to.hearsChanges ? isTold : undefined;
}

/** Who asks again was refused before: that goes first. The oldest of all stays, since it is the likeliest to have won. */
function forgetOneUntold({ untold }: TokenMirror): void {
  const repeated = untold.findIndex(({ token }, n) => untold.some((later, m) => m > n && later.token === token));
  untold.splice(repeated >= 0 ? repeated : 1, 1);
}

function isUntold(mirror: TokenMirror, token: string): boolean {
  return mirror.untold.some((attempt) => attempt.token === token);
}

function forgetUntold(mirror: TokenMirror, token: string): void {
  const found = mirror.untold.findIndex((attempt) => attempt.token === token);
  if (found >= 0) mirror.untold.splice(found, 1);
}
