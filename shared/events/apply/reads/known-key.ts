import type { RedisTime } from '../../../base/time.ts';
import type { Context } from '../../context.ts';
import type { Certainty } from '../../event.ts';
import type { LockKey } from '../../mirror/lock-keys.ts';
import { isCounterKind } from '../../names/counter-names.ts';
import { channelOfKind, isOldChannel } from '../../names/names.ts';
import type { LockKind } from '../../types/lock-kind.ts';

/**
 * The key of a lock that a script of this kind used.
 *
 * `lock` is also what a lock is called of which only a channel, a renewal or a hash is known. When a script then shows
 * another kind, an event says so: what was told before stands, and the event corrects it.
 */
export function keyOf(to: Context, db: number, lock: string, kind: LockKind, at: RedisTime): LockKey {
  const key = to.keys.take(db, lock, kind, to.watchEpoch);
  if (isOtherKind(key, kind)) learnKind(to, key, kind, at);
  key.isKindKnown = true;
  return key;
}

/**
 * The same for a renewal, a message or a subscription. While a plain lock is held, its script has shown its kind: a
 * late UNSUBSCRIBE of the read-write lock that had the name before does not change it.
 */
export function getOrCreateLock(to: Context, db: number, lock: string, kind: LockKind, at: RedisTime): LockKey {
  const key = to.keys.take(db, lock, kind, to.watchEpoch);
  const isShown = key.kind === 'lock' && key.isKindKnown && key.holders.size > 0;
  if (!isShown && isOtherKind(key, kind)) learnKind(to, key, kind, at);
  return key;
}

function isOtherKind(key: LockKey, kind: LockKind): boolean {
  return kind !== 'lock' && key.kind !== kind && !(kind === 'semaphore' && key.kind === 'expirable-semaphore');
}

/** The key a channel is about, which names no database: that of the lock in which it was seen. */
export function keyAbout(to: Context, db: number, derived: string): LockKey | undefined {
  for (let n = -1; n < MOST_DATABASES; n++) {
    const other = n === -1 ? db : n;
    const known = to.keys.find(other, to.keys.nameFrom(other, derived));
    if (known) return known;
  }
  return undefined;
}

const MOST_DATABASES = 16;

/** Notes that a lock's clients speak on a channel of the first releases. */
export function noteOldChannel(to: Context, key: LockKey | undefined, channel: string): void {
  if (!key || key.channel === channel || !isOldChannel(channel)) return;
  key.channel = channel;
  for (const wait of to.waits.of(key.db, key.name)) wait.channel = channel;
}

/** Says that a lock told as of one kind is of another. One name may be used by several: each is said once, but for
 * a plain lock, whose events by themselves say of no kind that it is over. */
export function learnKind(
  to: Context,
  key: LockKey,
  kind: LockKind,
  at: RedisTime,
  certainty: Certainty = 'observed',
): void {
  const before = key.kind;
  key.kind = kind;
  key.channel = channelOfKind(kind, key.name);
  key.isKindKnown = true;
  if (isCounterKind(kind)) to.keys.counters.add(key);
  to.keys.onNew(key);
  key.mirrors ??= {};
  key.mirrors.reportedKinds ??= new Set();
  if (kind !== 'lock' && key.mirrors.reportedKinds.has(kind)) return;
  key.mirrors.reportedKinds.add(before).add(kind);
  to.emit({ db: key.db, lock: key.name, kind, at, certainty }, { type: 'lock.learned', kindBefore: before });
}
