import type { RedisTime } from '../../../base/time.ts';
import type { Context } from '../../context.ts';
import type { Certainty } from '../../event.ts';
import { isAssumed, isCounterKind, KINDS } from '../../kinds/kinds.ts';
import { channelOf, type LockKey } from '../../mirror/lock-key.ts';
import { isOldChannel } from '../../names/names.ts';
import type { LockKind } from '../../types/lock-kind.ts';

/**
 * Returns the key of a lock that a script of this kind used, and creates the key if necessary.
 *
 * The kind of a lock is `lock` until something shows a more specific one: a channel, a renewal or a hash may not. When
 * a script then shows another kind, an event reports that kind. Earlier events keep the old one.
 */
export function keyOf(to: Context, db: number, lock: string, kind: LockKind, at: RedisTime): LockKey {
  const key = to.keys.take(db, lock, kind, to.watchEpoch);
  if (isOtherKind(key, kind)) learnKind(to, key, kind, at);
  key.isKindKnown = true;
  return key;
}

/**
 * Like `keyOf`, for a renewal, a message or a subscription. If a lock is held and its script has shown a plain lock,
 * the kind does not change: the UNSUBSCRIBE of a read-write lock that had the name before may be late.
 */
export function getOrCreateLock(to: Context, db: number, lock: string, kind: LockKind, at: RedisTime): LockKey {
  const key = to.keys.take(db, lock, kind, to.watchEpoch);
  const isShown = key.kind === 'lock' && key.isKindKnown && key.holders.size > 0;
  if (!isShown && isOtherKind(key, kind)) learnKind(to, key, kind, at);
  return key;
}

function isOtherKind(key: LockKey, kind: LockKind): boolean {
  // a release without a message shows Redisson's spin lock only if Redisson's clients use the key
  if (KINDS[kind].backsOff && key.mirrors?.isHomeMade) return false;
  return key.kind !== kind && !isAssumed(kind, key.kind);
}

/** Stores that an application's own scripts use the key as Redisson does. */
export function noteHomeMade(key: LockKey): void {
  key.mirrors ??= {};
  key.mirrors.isHomeMade = true;
}

/** Stores that a lock's clients use a channel of the first Redisson versions. */
export function noteOldChannel(to: Context, key: LockKey | undefined, channel: string): void {
  if (!key || channelOf(key) === channel || !isOldChannel(channel)) return;
  key.oldChannel = channel;
  for (const wait of to.waits.of(key.db, key.name)) wait.channel = channel;
}

/**
 * Reports that a lock has a different kind than reported before. Several kinds may share a name: each is reported once,
 * except `lock`, because the events of a plain lock do not show that another kind has ended.
 */
export function learnKind(
  to: Context,
  key: LockKey,
  kind: LockKind,
  at: RedisTime,
  certainty: Certainty = 'observed',
): void {
  const before = key.kind;
  key.kind = kind;
  key.oldChannel = undefined;
  key.isKindKnown = true;
  if (isCounterKind(kind)) to.keys.counters.add(key);
  to.keys.onNew(key);
  key.mirrors ??= {};
  key.mirrors.reportedKinds ??= new Set();
  if (kind !== 'lock' && key.mirrors.reportedKinds.has(kind)) return;
  key.mirrors.reportedKinds.add(before).add(kind);
  to.emit({ db: key.db, lock: key.name, kind, at, certainty }, { type: 'lock.learned', kindBefore: before });
}
