import type { ActionOf } from '../../action.ts';
import type { TokenAction } from '../../actions/token-action.ts';
import type { Context, Origin } from '../../context.ts';
import type { LockKey } from '../../mirror/lock-key.ts';
import { keepUnreported, tokenMirrorOf } from '../../mirror/tokens/token-memory.ts';

/*
 * Locks with several keys in one Redis (rueidislock): the key in the middle decides which client has the lock, so only
 * actions on this key are events of the lock. See `mirror/tokens/several-keys.ts`.
 */

const LIBRARY = 'rueidislock';

type KeyAction = Exclude<TokenAction, { do: 'token-wake' | 'token-sleep' }> & {
  readonly at: ActionOf<'token-try'>['at'];
};

/** Whether an action concerns a key of its lock other than the one that decides. */
export function isOfOtherPart(to: Context, action: KeyAction, { db, by }: Pick<Origin, 'db' | 'by'>): boolean {
  if (action.library !== LIBRARY) return false;
  const { severalKeys } = to;
  severalKeys.note(action.lock);
  const isOwn = action.do === 'token-renew' || action.do === 'token-drop';
  if (isOwn && severalKeys.noteOwn(db, action.lock, action.token)) addKeptAttempts(to);
  const place = severalKeys.placeOf(action.lock);
  if (place === 'unknown' && action.do === 'token-try' && action.token !== undefined) {
    const { token, at, lease } = action;
    severalKeys.keep(db, action.lock, { token, at, lease, by });
  }
  return place !== 'lock';
}

/** Adds the attempts that were seen before keys were known to be whole locks. Reads show which of them acquired. */
function addKeptAttempts(to: Context): void {
  for (const { db, name, attempts } of to.severalKeys.keptForLocks()) {
    const key = to.keys.take(db, name, 'token-lock', to.watchEpoch);
    if (key.kind !== 'token-lock') continue;
    const mirror = tokenMirrorOf(key);
    Object.assign(mirror, { library: LIBRARY, isSure: true });
    mirror.unreported.push(...attempts);
    to.onDoubt(key);
  }
}

/**
 * The lock that refuses an attempt on a key before the one that decides: an attempt ends at the first key that another
 * token has. `hasSet`: whether the attempt set that key; undefined if no key event shows it.
 */
export function refusedAtPart(
  to: Context,
  action: ActionOf<'token-try'>,
  { db, by }: Origin,
  hasSet: (name: string) => boolean | undefined,
): LockKey | undefined {
  if (action.library !== LIBRARY || to.severalKeys.placeOf(action.lock) !== 'before') return undefined;
  const key = to.keys.find(db, to.severalKeys.lockOf(action.lock));
  if (!key) return undefined;
  const isDone = hasSet(action.lock);
  const mirror = tokenMirrorOf(key);
  if (isDone === undefined && !mirror.isStateKnown && mirror.unreported.length > 0 && action.token !== undefined) {
    // The next read shows whether the lock was held at that time.
    keepUnreported(mirror, { token: action.token, at: action.at, lease: action.lease, by });
    return undefined;
  }
  return isDone === false || (isDone === undefined && key.holders.size > 0) ? key : undefined;
}
