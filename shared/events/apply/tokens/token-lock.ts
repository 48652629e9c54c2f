import { type Millis, millisBetween, plusMillis } from '../../../base/time.ts';
import type { ActionOf } from '../../action.ts';
import type { TokenAction } from '../../actions/token-action.ts';
import type { Context, Origin } from '../../context.ts';
import { isCounterKind } from '../../kinds/kinds.ts';
import { isEndlessLock, isLockName } from '../../libraries/token-found.ts';
import { isTokenLike } from '../../libraries/token-libraries.ts';
import type { LockKey } from '../../mirror/lock-key.ts';
import { isData } from '../../mirror/tokens/own-lock.ts';
import { keepUnreported, tokenMirrorOf } from '../../mirror/tokens/token-memory.ts';
import type { TokenMirror } from '../../mirror/tokens/token-mirror.ts';
import type { Lease } from '../../types/lease.ts';
import type { Appliers } from '../appliers.ts';
import { hasKeyEvent, remove } from '../keys.ts';
import { isStateKnown, wasOver } from '../proof.ts';
import { learnKind } from '../reads/known-key.ts';
import { isTakenByOther, proveAttempt, proveRenewal } from '../reads/token-reads.ts';
import { compareOwnLock, renewOwnLock, tryOwnLock } from './own-locks.ts';
import { drop, endIfOver, gain, isSameWord, miss, overwrite, refuse, regain, renew, type Turn } from './token-hold.ts';
import { isOfOtherPart, refusedAtPart } from './token-parts.ts';
import { sleepOnSignal } from './token-sleep.ts';

/** Actions of locks that are a string with a token. */
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
    if (action.script !== undefined) to.ownScripts.noteDeleted(action.script);
    const turn = turnOf(to, action, from);
    if (turn) drop(to, proved(to, turn));
    else if (action.isNumber) remove(to, { do: 'delete', at: action.at, key: action.lock, command: 'DEL' }, from);
  },
  'token-refuse': (to, action, from) => {
    const isTaken = (name: string) => (to.keys.find(from.db, name)?.holders.size ?? 0) > 0;
    const lock = action.among?.find(isTaken) ?? action.lock;
    const turn = turnOf(to, { ...action, lock }, from);
    if (turn) refuse(to, turn);
  },
  'token-miss': missed,
  'token-set-if-free': setIfFree,
  'token-try': tried,
  'token-sleep': sleepOnSignal,
  'token-wake': (to, { lock, channel, message, at }, { db, by, released }) => {
    const key = to.keys.find(db, lock);
    if (key?.kind !== 'token-lock') return;
    to.strangeLocks.noteSignal(db, channel);
    to.emit({ db, lock, kind: key.kind, at, by, because: [released] }, { type: 'wakeup.published', channel, message });
  },
};

type Did = Exclude<TokenAction, { do: 'token-wake' | 'token-sleep' }>;

/** The turn that an action means; `undefined` if its key is not known to be a lock, or its token is not known. */
function turnOf(to: Context, action: Did & { at: Turn['at'] }, from: Origin): Turn | undefined {
  const key = tokenKeyOf(to, action, from);
  if (!key) return undefined;
  const asked = action.token ?? tokenOf(key, from.by);
  const { alias } = tokenMirrorOf(key);
  const token = asked !== undefined && asked === alias?.value ? alias.holder : valueWith(key, asked, action);
  return token === undefined ? undefined : { key, token, at: action.at, from };
}

/** What scripts compare with a value that they take apart. A plain command writes or compares the whole value. */
const IN_SCRIPTS: ReadonlySet<Did['do']> = new Set(['token-drop', 'token-miss', 'token-renew']);

/**
 * The whole value if a script compared only a part of it, for example the owner in `{"owner":"web-1","at":1795}`: the one of the
 * holder, otherwise of an attempt or of an earlier holder.
 */
function valueWith(key: LockKey, part: string | undefined, action: Did): string | undefined {
  const { granted, unreported } = tokenMirrorOf(key);
  const isWhole = part === undefined || key.holders.has(part) || granted.has(part) || !IN_SCRIPTS.has(action.do);
  if (isWhole || part.length < SHORTEST_PART) return part;
  const values = [...key.holders.keys(), ...unreported.map(({ token }) => token).reverse(), ...[...granted].reverse()];
  return values.find((value) => isData(value) && isWordOf(value, part)) ?? part;
}

const SHORTEST_PART = 4;

function isWordOf(value: string, part: string): boolean {
  const at = value.indexOf(part);
  const [before = '"', after = '"'] = [value[at - 1], value[at + part.length]];
  return at >= 0 && !WORD_PART.test(before) && !WORD_PART.test(after);
}

const WORD_PART = /[\w.-]/;

/** Returns the turn with the holder's token, if the library compares only the first `prefix` characters of the value. */
function sameToken(turn: Turn, prefix: number | undefined): Turn {
  const { key, token } = turn;
  const [holder] = key.holders.keys();
  if (prefix === undefined || holder === undefined || holder === token) return turn;
  if (holder.slice(0, prefix) !== token.slice(0, prefix)) return turn;
  tokenMirrorOf(key).alias = { value: token, holder };
  return { ...turn, token: holder };
}

/** Returns the same turn, after reporting the attempt by which its token acquired the lock. */
function proved(to: Context, turn: Turn): Turn {
  proveAttempt(to, turn.key, turn.token, turn.at);
  return turn;
}

/** The token, if the command has none: the last token of the connection, otherwise that of the holder. */
function tokenOf(key: LockKey, by: string | undefined): string | undefined {
  const known = by === undefined ? undefined : tokenMirrorOf(key).tokenAt.get(by);
  const [holder] = key.holders.keys();
  return known ?? holder;
}

/** The lock's key. A new one is created only if the key is certainly a lock, or looks like one. */
function tokenKeyOf(to: Context, action: Did & { at: Turn['at'] }, { db, by }: OfOrigin): LockKey | undefined {
  const { lock, library } = action;
  if (isOfOtherPart(to, action, { db, by })) return undefined;
  if (action.isNumber && !isTokenAt(to, action, db)) return undefined;
  const isSure = action.evidence === 'sure' || (library !== undefined && to.libraries.has(library));
  if (isSure && library !== undefined) to.libraries.add(library);
  const known = to.keys.find(db, lock);
  if (known && known.kind !== 'token-lock') {
    // A script that found no key and set one holds the lock, whatever kind of lock had the name before.
    const isTaken = action.do === 'token-take' && !isCounterKind(known.kind);
    if (!isTaken) return undefined;
    learnKind(to, known, 'token-lock', action.at);
  }
  const isNamed = known === undefined && to.isNamed(lock);
  // A cache is also read and set. Only a lock is set on the condition that the key does not exist.
  const isLike =
    action.do === 'token-take' ||
    (TAKES_OR_RENEWS.has(action.do) && isLockName(lock) && isTokenLike(action.token ?? '')) ||
    (action.do === 'token-try' &&
      (library !== undefined || (isEndless(action) && to.ownLocks.decisionOn(lock) !== false)));
  if (!known && !isNamed && action.do === 'token-try' && action.ifKeyIs === 'own') {
    return compareOwnLock(to, action, { db, by });
  }
  if (!known && !isSure && !isLike && !isNamed) {
    if (action.do === 'token-renew') return renewOwnLock(to, action, { db, by });
    if (action.do === 'token-set-if-free')
      return tryOwnLock(to, { ...action, do: 'token-try', ifKeyIs: 'free', isDelete: false }, { db, by });
    return action.do === 'token-try' ? tryOwnLock(to, action, { db, by }) : undefined;
  }
  const own = known ? undefined : to.ownLocks.find(db, lock);
  const key = known ?? to.keys.take(db, lock, 'token-lock', to.watchEpoch);
  const mirror = tokenMirrorOf(key);
  if (library !== undefined && (mirror.library === undefined || isSure)) mirror.library = library;
  mirror.isSure ||= isSure || isNamed;
  if (isSure) mirror.isOwn = false; // a script of a library uses it, or one that compares its token
  if (own) {
    mirror.unreported.push(...own.attempts.filter(({ isFound }) => !isFound));
    to.ownLocks.forget(db, lock);
  }
  return key;
}

/** Scripts that find a key or none and then set it: so do those that write a value once, such as an idempotency key. */
const TAKES_OR_RENEWS: ReadonlySet<Did['do']> = new Set(['token-keep', 'token-set-if-free']);

/** Whether clients used this token with this key before. */
function isTokenAt(to: Context, { lock, token = '' }: Did, db: number): boolean {
  const key = to.keys.find(db, lock);
  if (key?.kind === 'token-lock') {
    const { granted, unreported } = tokenMirrorOf(key);
    return key.holders.has(token) || granted.has(token) || unreported.some((attempt) => attempt.token === token);
  }
  return to.ownLocks.find(db, lock)?.attempts.some((attempt) => attempt.token === token) === true;
}

/** Whether it sets a key without an end if it does not exist, and the name says that this is a lock. */
function isEndless({ ifKeyIs, lease, lock, token }: ActionOf<'token-try'>): boolean {
  return ifKeyIs === 'free' && lease === null && token !== undefined && isEndlessLock(lock, token);
}

type OfOrigin = Pick<Origin, 'db' | 'by'>;

/** Libraries that return success to the caller of a refused release. */
const SAYS_SUCCESS: ReadonlySet<string> = new Set(['aioredlock', 'shedlock', 'redis-semaphore']);

/** A comparison failed. Its script shows its purpose; otherwise that depends on whether this token ever had the lock. */
function missed(to: Context, action: ActionOf<'token-miss'>, from: Origin): void {
  const turn = turnOf(to, action, from);
  if (!turn) return;
  const { key, token } = turn;
  const mirror = tokenMirrorOf(key);
  const isGranted = mirror.granted.has(token) || key.lost?.has(token) === true;
  const isRelease = action.script !== undefined && to.ownScripts.deletes(action.script);
  switch (action.as ?? (isRelease ? 'release' : undefined)) {
    case 'acquire':
      return refuse(to, turn);
    case 'renew':
      return miss(to, turn, 'renew', false);
    case 'release': {
      if (action.script !== undefined && isQuestion(to, turn, action.script, isGranted)) return;
      // A token that never had the lock and was refused cleans up after its attempt: that is not an unlock.
      const { among = [key.name] } = action;
      const wasRefused = among.some((name) => to.waits.find(key.db, name, token));
      const isTidyingUp = !isGranted && (wasRefused || isUnreported(mirror, token));
      const mayOnlyAsk = action.script !== undefined && !isRelease;
      if (isTidyingUp) return mayOnlyAsk ? undefined : forgetUnreported(mirror, token);
      // Some libraries also clean up once after each refused renewal.
      const { lastMiss } = mirror;
      const isAfterRenewal = lastMiss?.token === token && lastMiss.as === 'renew' && !lastMiss.isTidied;
      if (action.tidiesUp && isAfterRenewal) {
        lastMiss.isTidied = true;
        return;
      }
      const isReported = SAYS_SUCCESS.has(mirror.library ?? '');
      return miss(to, turn, 'release', isReported);
    }
    case 'query':
      return;
    default:
      // An own script that finds its token and leaves the key asks, or acquires again, which its client counts.
      if (action.as === undefined && hasFoundToken(to, turn)) return to.onDoubt(key);
      if (!isGranted && !mirror.isStateKnown && isUnreported(mirror, token)) return to.onDoubt(key);
      // A token of before watching began, or that cleans up.
      if (!isGranted && action.as === undefined && mirror.isTriedBySet) return to.onDoubt(key);
      if (!isGranted) return refuse(to, turn);
      // A client with one token for all its holds asks again. Without another holder, its script would have set the key.
      if (mirror.released.has(token) && !endIfOver(to, turn) && key.holders.size > 0) return refuse(to, turn);
      if (action.as !== undefined) return miss(to, turn, 'renew', false);
      // Without a known script, only its keys, arguments and the earlier events show its purpose.
      return miss(to, { ...turn, certainty: 'inferred' }, mayRenew(to, action, from) ? 'renew' : 'release', false);
  }
}

/** Whether a script may have been a renewal: it has a lease, and no key beside its locks, such as a list or a channel for waiters. */
function mayRenew(to: Context, { isTimed, among = [] }: ActionOf<'token-miss'>, { db }: Origin): boolean {
  return isTimed === true && among.every((name) => to.keys.find(db, name)?.kind === 'token-lock');
}

/**
 * Whether a script only asked who has the lock, or may have: its token has it and the key is still there; or no client was ever seen
 * with this token, and the script never deleted a key.
 */
function isQuestion(to: Context, turn: Turn, script: string, isGranted: boolean): boolean {
  if (!to.ownScripts.asks(script) && hasFoundToken(to, turn)) {
    to.ownScripts.noteAsked(script);
    to.onDoubt(turn.key);
  }
  const isStrange = !isGranted && !isUnreported(tokenMirrorOf(turn.key), turn.token);
  return to.ownScripts.asks(script) || (isStrange && !to.ownScripts.deletes(script));
}

/** Whether a script that compared this token found it. */
function hasFoundToken(to: Context, { key, token, at }: Turn): boolean {
  return key.holders.has(token) && isStateKnown(to, key) && !isNearEnd(key, at) && !wasOver(to, key, at);
}

/**
 * Applies a script that did not find its token, and then set it if there was no key. A key event shows the outcome. Without
 * one, another holder refuses it; a free lock is acquired (inferred) and read. If the state is not known, the read decides.
 */
function setIfFree(to: Context, action: ActionOf<'token-set-if-free'>, from: Origin): void {
  const turn = turnOf(to, action, from);
  if (!turn && action.script !== undefined) to.ownScripts.noteTried(action.script);
  if (!turn) return;
  const { key, token, at } = turn;
  const mirror = tokenMirrorOf(key);
  const hadIt = (mirror.granted.has(token) && !mirror.released.has(token)) || key.lost?.has(token) === true;
  if (action.script !== undefined && !hadIt) to.ownScripts.noteTried(action.script);
  const isAttempt = action.script !== undefined && to.ownScripts.tries(action.script);
  const isRenewal = action.as === 'renew' || (hadIt && !isAttempt);
  const hasDone = hasCaused(to, from, key.name, 'set');
  if (hasDone) return gain(to, turn, action.lease);
  const isNear = isNearEnd(key, at);
  if (hasDone === undefined && !isNear) endIfOver(to, turn);
  const isOther = key.holders.size > 0 && !key.holders.has(token);
  const isKnown = mirror.isStateKnown && !isNear && key.watchEpoch === to.watchEpoch;
  if (isTakenByOther(key, at) || (isKnown && isOther)) {
    const reported: Turn = hasDone === false ? turn : { ...turn, certainty: 'inferred' };
    return isRenewal ? miss(to, reported, 'renew', false) : refuse(to, reported);
  }
  to.onDoubt(key);
  if (hasDone === false) return;
  if (isKnown && key.holders.size === 0) return gain(to, { ...turn, certainty: 'inferred' }, action.lease);
  keepUnreported(mirror, { token, at, lease: action.lease, by: from.by, ...(isRenewal ? { isRenewal } : undefined) });
}

/**
 * Applies a plain command whose result no line shows. A key event shows it. Without one, the expected state decides: the
 * event is inferred, and a read of the key is requested. If the state is not known, nothing is reported before that read.
 */
function tried(to: Context, action: ActionOf<'token-try'>, from: Origin): void {
  const { at, lock, ifKeyIs, isDelete, keepsLease, compared } = action;
  const isOther = to.keys.find(from.db, lock) && to.keys.find(from.db, lock)?.kind !== 'token-lock';
  if (isOther && ifKeyIs === 'any') return remove(to, { do: 'delete', at, key: lock, command: 'SET' }, from);
  const turn = turnOf(to, action, from);
  if (!turn) return refuseAtPart(to, action, from);
  const { key, token } = turn;
  const mirror = tokenMirrorOf(key);
  if (ifKeyIs === 'free') mirror.isTriedBySet = true;
  const hasDone = hasCaused(to, from, key.name, isDelete ? 'del' : 'set');
  const lease = keepsLease ? keptLease(key, at) : action.lease;
  if (compared !== undefined && compared !== action.token) return handOver(to, action, from, hasDone);
  // Redis does not show commands that it does not have. A server with DELEX or DELIFEQ has SET IFEQ, too.
  if (ifKeyIs === 'own' && (isDelete || hasDone)) to.hasIfEqual = true;
  if (isDelete) proveRenewal(to, key, token);
  if (ifKeyIs !== 'free') proveAttempt(to, key, token, at);
  if (ifKeyIs === 'free' && hasDone === undefined && isTakenByOther(key, at)) {
    return refuse(to, { ...turn, certainty: 'inferred' });
  }
  const isUnknown = !mirror.isStateKnown || isNearEnd(key, at);
  if (ifKeyIs === 'free' && hasDone === undefined && isUnknown) {
    keepUnreported(mirror, { token, at, lease, by: from.by });
    return to.onDoubt(key);
  }
  if (!mirror.isStateKnown && (ifKeyIs === 'own' ? hasDone !== true : hasDone === undefined)) return to.onDoubt(key);
  const isCertain = to.hasIfEqual && !isNearEnd(key, at);
  if (ifKeyIs === 'own' && hasDone === undefined && !isDelete && !isCertain && key.holders.has(token)) {
    // A later end of the lease, or a script, decides.
    mirror.unreportedRenewal = { token, at, lease, by: from.by };
    return to.onDoubt(key);
  }
  if (ifKeyIs !== 'free' || hasDone !== false) endIfOver(to, turn); // a refusal shows that there was a holder
  const [holder] = key.holders.keys();
  const taken = ifKeyIs === 'free' && hasDone === undefined ? otherTaken(to, action, from) : undefined;
  if (taken && holder === undefined) return; // the attempt on that key is refused, which is an event of its own
  const isDone =
    hasDone ??
    (ifKeyIs === 'free' ? holder === undefined : ifKeyIs === 'own' ? holder === token : holder !== undefined);
  const reported: Turn = hasDone === undefined ? { ...turn, certainty: 'inferred' } : turn;
  if (hasDone === undefined && isDone) to.onDoubt(key);
  switch (ifKeyIs) {
    case 'free':
      if (!isDone && isSameWord(key, token)) return;
      return isDone ? gain(to, reported, lease) : refuse(to, reported);
    case 'own':
      // MONITOR shows IFEQ even if the server does not support it. A script follows, and decides.
      if (!isDone && holder === token) return;
      if (!isDone) return miss(to, reported, isDelete ? 'release' : 'renew', false);
      return isDelete ? void drop(to, reported) : renewTo(to, reported, action, lease);
    case 'any':
      if (!isDone) return miss(to, reported, 'renew', false);
      if (holder === token) return renewTo(to, reported, action, lease);
      return holder === undefined ? gain(to, reported, lease) : overwrite(to, reported, lease);
  }
}

/** An attempt on a key before the one that decides is refused there, or goes on at the next key. */
function refuseAtPart(to: Context, action: ActionOf<'token-try'>, from: Origin): void {
  const key = refusedAtPart(to, action, from, (name) => hasCaused(to, from, name, 'set'));
  if (!key || action.token === undefined) return;
  const turn: Turn = { key, token: action.token, at: action.at, from };
  if (!endIfOver(to, turn)) refuse(to, turn);
}

/** Another key of the same command that was held before it: it refuses the attempt on all of them. */
function otherTaken(to: Context, action: ActionOf<'token-try'>, { db }: Origin): LockKey | undefined {
  const { lock, token = '', at, among = [] } = action;
  for (const name of among) {
    const key = name === lock ? undefined : to.keys.find(db, name);
    if (key && key.holders.size > 0 && key.holders.get(token)?.since !== at) return key;
  }
  return undefined;
}

/** Renews the lease of a holder that set its token again. With KEEPTTL nothing changes. */
function renewTo(to: Context, turn: Turn, { keepsLease }: ActionOf<'token-try'>, lease: Lease | null): void {
  const { key, token } = turn;
  if (keepsLease && key.holders.has(token)) return;
  if (lease === null) key.expiresAt = undefined;
  renew(to, turn, lease);
  if (lease === null) to.onDoubt(key);
}

/** What is left of the lease, which the command keeps; null: it has no end, or the end is not known. */
function keptLease({ expiresAt }: LockKey, at: Turn['at']): Lease | null {
  return expiresAt == null ? null : { setAt: at, ms: millisBetween(at, expiresAt) };
}

/**
 * A SET with IFEQ that writes another value than it compares with. If a key event shows that it did, the value before is
 * gone, and a read shows whether the new one is a token. Without an event, the read decides alone.
 */
function handOver(to: Context, action: ActionOf<'token-try'>, from: Origin, hasDone: boolean | undefined): void {
  const { at, lock, lease } = action;
  const key = to.keys.find(from.db, lock);
  if (!key || hasDone === false) return;
  const ends = lease ? { valueEnds: plusMillis(at, lease.ms) } : undefined;
  if (hasDone) remove(to, { do: 'delete', at, key: lock, command: 'SET', ...ends }, from);
  to.onDoubt(key);
}

/** Whether the lease ends about now, so that only Redis knows if it ended before or after the attempt. */
function isNearEnd({ holders, expiresAt }: LockKey, at: Turn['at']): boolean {
  return holders.size > 0 && expiresAt != null && Math.abs(millisBetween(expiresAt, at)) <= NEAR_END;
}

const NEAR_END: Millis = 20;

/** Whether a key event shows that the command changed the key; `undefined` if no key events arrive. */
function hasCaused(to: Context, from: Origin, name: string, event: 'set' | 'del'): boolean | undefined {
  const isReported = hasKeyEvent(from, name, (reported) => reported === event);
  if (isReported) to.hearsChanges = true;
  return isReported || to.hearsChanges ? isReported : undefined;
}

function isUnreported(mirror: TokenMirror, token: string): boolean {
  return mirror.unreported.some((attempt) => attempt.token === token);
}

function forgetUnreported(mirror: TokenMirror, token: string): void {
  const found = mirror.unreported.findIndex((attempt) => attempt.token === token);
  if (found >= 0) mirror.unreported.splice(found, 1);
}
