import type { ActionOf } from '../../action.ts';
import type { TokenAction } from '../../actions/token-action.ts';
import type { Context, Origin } from '../../context.ts';
import { isCounterKind } from '../../kinds/kinds.ts';
import { isDataWith } from '../../libraries/bare-word.ts';
import { isEndlessLock, isLockName } from '../../libraries/token-found.ts';
import { isTokenLike } from '../../libraries/token-libraries.ts';
import type { LockKey } from '../../mirror/lock-key.ts';
import { tokenMirrorOf } from '../../mirror/tokens/token-memory.ts';
import { learnKind } from '../reads/known-key.ts';
import {
  compareOwnLock,
  keepOwnLock,
  refuseOwnLock,
  renewOwnLock,
  takeOver,
  tryByScript,
  tryOwnLock,
} from './own-locks.ts';
import type { TokenCall } from './token-hold.ts';
import { isOfOtherPart } from './token-parts.ts';

type KeyAction = Exclude<TokenAction, { do: 'token-wake' | 'token-sleep' }>;

/** The operation that an action shows; `undefined` if its key is not shown as a lock, or its token is not known. */
export function callOf(to: Context, action: KeyAction & { at: TokenCall['at'] }, from: Origin): TokenCall | undefined {
  const key = tokenKeyOf(to, action, from);
  if (!key) return undefined;
  const asked = action.token ?? tokenOf(key, from.by);
  const { alias } = tokenMirrorOf(key);
  const token = asked !== undefined && asked === alias?.value ? alias.holder : valueWith(key, asked, action);
  return token === undefined ? undefined : { key, token, at: action.at, from };
}

/**
 * Actions of scripts, which may take the value apart before they compare it. A plain command writes or compares the
 * whole value.
 */
const IN_SCRIPTS: ReadonlySet<KeyAction['do']> = new Set(['token-drop', 'token-miss', 'token-renew']);

/**
 * The whole value if a script compared only a part of it, for example the owner in `{"owner":"web-1","at":1795}`: the
 * holder's value, otherwise that of an attempt or of an earlier holder. The part itself if no known value contains it.
 */
function valueWith(key: LockKey, part: string | undefined, action: KeyAction): string | undefined {
  const { granted, unreported } = tokenMirrorOf(key);
  const isOfScript = IN_SCRIPTS.has(action.do) || ('value' in action && action.value !== undefined);
  if (part === undefined || key.holders.has(part) || granted.has(part) || !isOfScript) return part;
  const values = [...key.holders.keys(), ...unreported.map(({ token }) => token).reverse(), ...[...granted].reverse()];
  return values.find((value) => isDataWith(value, part)) ?? part;
}

/** The token, if the command has none: the last token of the connection, otherwise that of the holder. */
function tokenOf(key: LockKey, by: string | undefined): string | undefined {
  const known = by === undefined ? undefined : tokenMirrorOf(key).tokenAt.get(by);
  const [holder] = key.holders.keys();
  return known ?? holder;
}

/** The lock's key. It is created only if the key is certainly a lock, looks like one, or was named by the user. */
function tokenKeyOf(
  to: Context,
  action: KeyAction & { at: TokenCall['at'] },
  { db, by }: KeyOrigin,
): LockKey | undefined {
  const { lock, library } = action;
  if (isOfOtherPart(to, action, { db, by })) return undefined;
  if (action.isNumber && !isTokenAt(to, action, db)) return undefined;
  const isOfLibrary = action.evidence === 'sure' || (library !== undefined && to.libraries.has(library));
  if (isOfLibrary && library !== undefined) to.libraries.add(library);
  const isSure = isOfLibrary || isSetAgain(to, action, db);
  const known = to.keys.find(db, lock);
  if (known && known.kind !== 'token-lock') {
    // The caller of a script that found no key and set it has the lock, whatever kind of lock had the name before,
    // except a counter.
    const isTaken = action.do === 'token-take' && !isCounterKind(known.kind);
    if (!isTaken) return undefined;
    learnKind(to, known, 'token-lock', action.at);
  }
  const isNamed = known === undefined && to.isNamed(lock);
  const isWithData = 'value' in action && action.value !== undefined;
  // A cache is also read and set. Only a lock is set on the condition that the key does not exist.
  const isLike =
    (action.do === 'token-take' &&
      !isWithData &&
      (!action.isBeside || (isLockName(lock) && isTokenLike(action.token ?? '')))) ||
    (ACQUIRES_OR_RENEWS.has(action.do) && !isWithData && isLockName(lock) && isTokenLike(action.token ?? '')) ||
    (action.do === 'token-try' &&
      (library !== undefined || (isEndless(action) && to.ownLocks.decisionOn(lock) !== false)));
  if (!known && !isNamed && isOnceValid(to, action, db)) {
    to.ownScripts.noteUsedUp(db, lock);
    to.ownLocks.onWatched(lock); // from now on, a SETNX of that key must be seen
    return undefined;
  }
  if (!known && !isNamed && action.do === 'token-try' && action.ifKeyIs === 'own') {
    return compareOwnLock(to, action, { db, by });
  }
  if (!known && !isSure && !isLike && !isNamed) {
    if (action.isBeside) return action.do === 'token-drop' ? compareOwnLock(to, action, { db, by }) : undefined;
    if (action.do === 'token-renew') return renewOwnLock(to, action, { db, by });
    if (action.do === 'token-keep') return keepOwnLock(to, action, { db, by });
    if (action.do === 'token-take' && isWithData) return tryByScript(to, action, { db, by });
    if (action.do === 'token-miss') return refuseOwnLock(to, action, { db, by });
    if (action.do === 'token-set-if-free') return tryByScript(to, action, { db, by });
    if (action.do !== 'token-try') return undefined;
    const shown = tryOwnLock(to, action, { db, by });
    const isNoted = shown !== undefined || to.ownLocks.find(db, lock) !== undefined;
    if (!isNoted && action.ifKeyIs === 'free' && to.ownLocks.decisionOn(lock) !== false)
      to.ownScripts.noteSet(db, lock);
    return shown;
  }
  const own = known ? undefined : to.ownLocks.find(db, lock);
  const key = known ?? to.keys.take(db, lock, 'token-lock', to.watchEpoch);
  const mirror = tokenMirrorOf(key);
  if (library !== undefined && (mirror.library === undefined || isSure)) mirror.library = library;
  mirror.isSure ||= isSure || isNamed;
  if (isSure) mirror.isOwn = false; // a library or a script that compares its token uses the key
  if (own && action.do === 'token-drop' && action.script !== undefined) to.ownScripts.noteReleased(action.script);
  if (own) takeOver(to, key, own);
  return key;
}

/**
 * Whether a script may have used up a value that is valid once, such as a code sent by mail or a refresh token: it
 * compares and deletes a key that no client was seen to set with NX, and that is not named like a lock.
 */
function isOnceValid({ ownLocks, ownScripts }: Context, action: KeyAction, db: number): boolean {
  if (action.do !== 'token-drop' || action.library !== undefined || isLockName(action.lock)) return false;
  if (ownLocks.find(db, action.lock) || ownScripts.wasSet(db, action.lock)) return false;
  // if there were more keys than are remembered, the attempt may have been forgotten
  return !(ownLocks.isMore && action.script !== undefined && ownScripts.releases(action.script));
}

/**
 * Whether a key is set with NX, although it seemed to hold a value that is valid only once: it is a lock that was held
 * when watching began.
 */
function isSetAgain({ ownScripts }: Context, action: KeyAction, db: number): boolean {
  return action.do === 'token-try' && action.ifKeyIs === 'free' && ownScripts.wasUsedUp(db, action.lock);
}

/**
 * Scripts that look for a key and then set it. Scripts that write a value only once, such as an idempotency key, do the
 * same.
 */
const ACQUIRES_OR_RENEWS: ReadonlySet<KeyAction['do']> = new Set(['token-keep', 'token-set-if-free']);

/** Whether clients used this token with this key before. */
function isTokenAt(to: Context, { lock, token = '' }: KeyAction, db: number): boolean {
  const key = to.keys.find(db, lock);
  if (key?.kind === 'token-lock') {
    const { granted, unreported } = tokenMirrorOf(key);
    return key.holders.has(token) || granted.has(token) || unreported.some((attempt) => attempt.token === token);
  }
  return to.ownLocks.find(db, lock)?.attempts.some((attempt) => attempt.token === token) === true;
}

/** Whether the command sets a key without an end if it does not exist, and the key has the name of a lock. */
function isEndless({ ifKeyIs, lease, lock, token }: ActionOf<'token-try'>): boolean {
  return ifKeyIs === 'free' && lease === null && token !== undefined && isEndlessLock(lock, token);
}

type KeyOrigin = Pick<Origin, 'db' | 'by'>;
