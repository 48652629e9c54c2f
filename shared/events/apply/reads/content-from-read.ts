import { plusMillis, type RedisTime } from '../../../base/time.ts';
import type { KeyRead } from '../../../signals/signal.ts';
import type { LockKey } from '../../mirror/lock-key.ts';
import { isTokenOf } from '../../mirror/tokens/token-memory.ts';
import { holderOfField, isHolder, isWriteField } from '../../names/names.ts';
import type { FoundHolder, KeyContent } from '../../types/watch-event.ts';
import { contentOfGroup } from './group-lock-read.ts';

/**
 * The holders that a read shows. `null`: the key does not exist, or has no holder. `not-a-lock`: anything else.
 *
 * - The holder of a string is its token.
 * - In a lock's hash, every field is a holder and every value a count. Exceptions are the hash of a group lock, the
 *   `mode` of a read-write lock (`docs/protocol.md` 3.3), and what other clients wrote beside a known holder.
 *
 * `isHeard`: commands have shown all changes of the known lock.
 */
export function contentFromRead(
  read: KeyRead,
  at: RedisTime,
  known?: LockKey,
  isHeard = true,
): KeyContent | null | 'not-a-lock' {
  if (read.type === 'none' || read.pttl === -2) return null;
  if (read.type === 'string' && read.companions?.token) {
    const isReported = read.companions.library !== undefined;
    const isToken = read.companions.token.every((value) => isReported || isTokenOf(known, value));
    const { alias } = known?.mirrors?.tokens ?? {};
    const holders = read.companions.token.map((value) => (value === alias?.value ? alias.holder : value));
    return isToken ? contentOfString(read, holders, at) : 'not-a-lock';
  }
  if (read.type !== 'hash') return 'not-a-lock';
  const group = contentOfGroup(read, at, isHeard ? known?.mirrors?.values : undefined);
  if (group !== undefined) return group;
  const { mode: common } = read.fields;
  const isShared = common === 'read' || common === 'write';
  if (common !== undefined && !isShared) return 'not-a-lock';
  const isHeld = [...(known?.holders.keys() ?? [])].some((field) => Object.hasOwn(read.fields, field));
  const holders: FoundHolder[] = [];
  for (const [field, value] of Object.entries(read.fields)) {
    if (field === 'mode') continue;
    const isWrite = isShared && isWriteField(field);
    if (!(isWrite || isHolder(field)) || !/^\d{1,15}$/.test(value) || value === '0') {
      if (isHeld) continue; // another client wrote a field beside those of the holders
      return 'not-a-lock';
    }
    const mode = isWrite ? 'write' : isShared ? 'read' : 'exclusive';
    holders.push({ holder: isWrite ? holderOfField(field) : field, holdCount: Number(value), mode });
  }
  if (holders.length === 0) return null;
  return { holders, expiresAt: read.pttl < 0 ? null : plusMillis(at, read.pttl) };
}

/** A string with a token: its client holds the lock with count 1. */
function contentOfString({ pttl }: KeyRead, [holder]: readonly string[], at: RedisTime): KeyContent | null {
  if (holder === undefined) return null;
  const expiresAt = pttl < 0 ? null : plusMillis(at, pttl);
  return { holders: [{ holder, holdCount: 1, mode: 'exclusive' }], expiresAt };
}
