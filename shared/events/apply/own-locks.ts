import type { Context } from '../context.ts';
import type { LockKey } from '../mirror/lock-key.ts';
import { tokenMirrorOf } from '../mirror/token-memory.ts';

/** Begins to treat keys that look like an application's own locks as locks, or stops doing so. */
export function showOwnLocks(to: Context, isShown: boolean): void {
  if (to.ownLocks.isShown === isShown) return;
  to.ownLocks.isShown = isShown;
  if (isShown) showAll(to);
  else for (const key of [...to.keys.all()]) if (key.mirrors?.tokens?.isOwn) hide(to, key);
}

/** The read that follows shows whether the newest attempt acquired the lock. */
function showAll(to: Context): void {
  for (const { db, name, attempt } of to.ownLocks.at(to.keys.now)) {
    const key = to.keys.take(db, name, 'token-lock', to.watchEpoch);
    if (key.kind !== 'token-lock') continue;
    const mirror = tokenMirrorOf(key);
    mirror.isSure = true;
    mirror.isOwn = true;
    mirror.untold.push(attempt);
    to.onDoubt(key);
  }
  to.ownLocks.clear();
}

function hide(to: Context, key: LockKey): void {
  const { db, name, mirrors } = key;
  const token = [...key.holders.keys(), ...(mirrors?.tokens?.granted ?? [])].at(0);
  if (token !== undefined) to.ownLocks.note(db, name, { token, at: to.keys.now, lease: null, by: undefined });
  to.keys.drop(key);
}
