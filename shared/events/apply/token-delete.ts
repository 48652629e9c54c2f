import type { Did } from '../action.ts';
import type { Context, Origin } from '../context.ts';
import { clearKey, type LockKey } from '../lock-keys.ts';
import { drop, endIfOver, miss, type Turn } from './token-hold.ts';
import { proveAttempt } from './token-reads.ts';

/**
 * A plain DEL or UNLINK of a token lock: its holder's own release where that does not compare, as ShedLock's and Spring
 * Integration 5.5's. Gives back whether it was understood; else it is anybody's deletion.
 */
export function applyTokenDelete(to: Context, key: LockKey, action: Did<'delete'>, from: Origin): boolean {
  const { at, command } = action;
  const mirror = key.mirrors?.tokens;
  if (key.kind !== 'token-lock' || !mirror || from.by === undefined) return false;
  const attempt = mirror.untold.findLast(({ by }) => by === from.by);
  if (attempt) proveAttempt(to, key, attempt.token, at);
  const token = mirror.tokenAt.get(from.by);
  if (token === undefined || (command !== 'DEL' && command !== 'UNLINK')) return false;
  const turn: Turn = { key, token, at, from };
  endIfOver(to, turn);
  if (key.holders.has(token)) {
    drop(to, { ...turn, certainty: 'inferred' }); // whose connection it is, not what it compared
    return true;
  }
  if (key.holders.size === 0) {
    miss(to, { ...turn, certainty: 'inferred' }, 'release', true);
    return true;
  }
  const holders = [...key.holders.keys()];
  const [holder = ''] = holders;
  key.lastLoss = to.emit(
    { db: key.db, lock: key.name, kind: key.kind, at, by: from.by },
    { type: 'lock.deleted', command, holder, holders, late: token },
  );
  clearKey(key, 'gone');
  key.stretch = to.stretch;
  return true;
}
