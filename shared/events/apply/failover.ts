import type { RedisTime } from '../../base/time.ts';
import type { Context } from '../context.ts';
import { emptyCounter } from '../mirror/counter.ts';
import {
  clearKey,
  dropField,
  type Field,
  forgetBefore,
  holderIds,
  type LockKey,
  rememberLoss,
} from '../mirror/lock-key.ts';
import { fieldOf, holderOfField } from '../names/names.ts';
import type { FoundHolder, KeyContent } from '../types/watch-event.ts';

/**
 * Reports the holds that a failover lost: the former server had them, the current one does not, and no end was seen.
 *
 *   old master   A acquires ──x                      replication: … ┊ · · ·  never arrived
 *   new master                  failover ── no key   A: lock.lost, inferred
 *
 * A hold that is known to have reached the new master was not lost. It ended while Redis was not watched, and is not
 * reported here. `found`: the current holders. Returns false if a missing hold was not reported, or if there was no
 * failover since the key was last confirmed.
 */
export function reportLost(to: Context, key: LockKey, found: readonly FoundHolder[], at: RedisTime): boolean {
  const { failover } = to;
  if (!failover || key.watchEpoch > failover.watchEpoch) return false;
  const still = new Set(found.map(({ holder, mode }) => fieldOf(holder, mode)));
  let isAllReported = true;
  for (const [name, field] of [...key.holders]) {
    if (still.has(name)) continue;
    if (!mayBeLost(field, failover.replicatedUntil)) {
      isAllReported = false;
      continue;
    }
    const reason = failover.how === 'restarted' ? 'restart' : 'failover';
    key.lastLoss = to.emit(
      { ...aboutOf(key, at), because: [field.acquiredSeq, failover.seq] },
      {
        type: 'lock.lost',
        holder: holderOfField(name),
        mode: field.mode,
        reason,
        ...(key.expiresAt == null ? undefined : { expiresAt: key.expiresAt }),
      },
    );
    rememberLoss(key, name, 'gone');
    dropField(key, name);
  }
  if (key.holders.size > 0) return isAllReported;
  clearKey(key, 'gone');
  key.watchEpoch = to.watchEpoch;
  return true;
}

/**
 * Reports that the holds of a lock survived a failover, unless the lock was confirmed since then. Returns whether this
 * was reported.
 */
export function reportKept(to: Context, key: LockKey, { holders, expiresAt }: KeyContent, at: RedisTime): boolean {
  const { failover } = to;
  if (!failover || key.watchEpoch > failover.watchEpoch || holders.length === 0) return false;
  const { db, name: lock, kind } = key;
  to.emit({ db, lock, kind, at, because: [failover.seq] }, { type: 'lock.found', holders, expiresAt, isKept: true });
  key.expiresAt = expiresAt;
  return true;
}

/**
 * Reports that a held key, or the number of a semaphore or a latch, moved to another shard. Holders keep their holds
 * there, and clients get no message about the move. The key may change there unseen by this source: if the key returns,
 * what was known before does not count.
 */
export function reportMoved(to: Context, db: number, name: string, node: string, at: RedisTime): void {
  const key = to.keys.find(db, name);
  if (!key) return;
  if (key.holders.size > 0 || key.mirrors?.counter?.value != null) {
    const holders = holderIds(key);
    const [holder] = holders;
    to.emit(aboutOf(key, at), {
      type: 'lock.moved',
      ...(node === '' ? undefined : { to: node }),
      ...(holder === undefined ? undefined : { holder, holders }),
    });
    clearKey(key, 'released');
    key.watchEpoch = to.watchEpoch;
  }
  if (key.mirrors?.counter) key.mirrors.counter = emptyCounter();
  forgetBefore(key);
}

function mayBeLost({ since }: Field, replicatedUntil: RedisTime | null): boolean {
  return replicatedUntil === null || since === undefined || since > replicatedUntil;
}

function aboutOf({ db, name, kind }: LockKey, at: RedisTime) {
  return { db, lock: name, kind, at, certainty: 'inferred' } as const;
}
