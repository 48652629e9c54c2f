import { byName } from '../../base/by-name.ts';
import { FewMap } from '../../base/few-map.ts';
import { forgetOldest } from '../../base/forget-oldest.ts';
import type { Millis, RedisTime } from '../../base/time.ts';
import { KINDS } from '../kinds/kinds.ts';
import { holderOfField } from '../names/names.ts';
import type { HoldMode } from '../types/hold-event.ts';
import type { LockKind } from '../types/lock-kind.ts';
import type { FoundHolder, KeyContent } from '../types/watch-event.ts';
import { emptyCounter } from './counter.ts';
import type { Mirrors } from './mirrors.ts';

/** One hold of a lock. In most kinds of lock, it is a field of the lock's hash. */
export type Field = {
  /** Null: neither a command nor a read has shown it. */
  count: number | null;
  readonly mode: HoldMode;
  /** `seq` of the event that reported the beginning of the hold; undefined: no event did. */
  readonly acquiredSeq: number | undefined;
  /** The watchdog has renewed this lease, and it was not set to another one since, for example by a re-entry. */
  renewedMs?: Millis;
  /** When the newest renewal of this hold that ran no command arrived. */
  notRunAt?: RedisTime;
  /** The time since which the hold is known to exist. */
  readonly since: RedisTime;
};

/**
 * The expected content of one lock's key in Redis. Without holders, the key is expected to be missing, if `isSeen` is
 * true and the lock is not a semaphore or a latch.
 */
export type LockKey = {
  readonly db: number;
  readonly name: string;
  /**
   * The channel on which clients of the first Redisson versions publish releases. Undefined: the usual channel of the
   * kind.
   */
  oldChannel: string | undefined;
  kind: LockKind;
  /** False until something was seen that only this kind does. Until then `lock` is just the most likely kind. */
  isKindKnown: boolean;
  /**
   * False while only the lock's name is known, for example from a channel, or if what was known no longer counts. The
   * holders are then unknown.
   */
  isSeen: boolean;
  /** Holds by the name of their field, or by their token. */
  readonly holders: ReadonlyMap<string, Field>;
  /** Null: no expiry. Undefined: not known. */
  expiresAt: RedisTime | null | undefined;
  leaseMs: Millis | undefined;
  /** Redis's clock was changed after `expiresAt` was computed, so `expiresAt` is outdated until the next read. */
  isEndOutdated: boolean | undefined;
  /** Without commands: how long the lease was when it was set, as far as reads show it. */
  foundLeaseMs: Millis | undefined;
  /** The watch epoch in which this content was last confirmed, at least in part. */
  watchEpoch: number;
  /**
   * The watch epoch in which a read last confirmed the whole content, or in which the lock was first seen. -1: no
   * read has confirmed it since `forgetBefore`.
   */
  readInEpoch: number;
  /** Fields of holders that lost their hold, and how they lost it. This explains a later refused unlock or renewal. */
  lost: Map<string, 'expired' | 'gone'> | undefined;
  /** `seq`s of the newest message, expiry and loss: each may have ended a waiter's sleep. -1: none. */
  lastMessage: number;
  lastExpiry: number;
  lastLoss: number;
  /** When the newest message was published. */
  messageAt: RedisTime | undefined;
  /** How many subscribers were last counted; undefined: never counted. */
  listeners: number | undefined;
  /** The time since which reads found the lock free with listeners, and when to report it again. */
  stillListened: { readonly since: RedisTime; readonly reportAt: RedisTime } | undefined;
  /** Data that the lock's kind keeps beside the hash; undefined until part of it is seen. */
  mirrors: Mirrors | undefined;
};

const MOST_LOST = 100;

/**
 * Lease ends this close together are the same: Redis and Lockscope count whole milliseconds at slightly different
 * moments.
 */
export const SAME_END: Millis = 100;

/** Creates the mirror of a key. Its kind counts as known, unless it is `lock`, which is only assumed. */
export function newLockKey(db: number, name: string, kind: LockKind, watchEpoch: number): LockKey {
  return {
    db,
    name,
    oldChannel: undefined,
    kind,
    isKindKnown: kind !== 'lock',
    isSeen: false,
    holders: new FewMap<string, Field>(),
    expiresAt: undefined,
    leaseMs: undefined,
    isEndOutdated: undefined,
    foundLeaseMs: undefined,
    watchEpoch,
    readInEpoch: watchEpoch,
    lost: undefined,
    lastMessage: -1,
    lastExpiry: -1,
    lastLoss: -1,
    listeners: undefined,
    stillListened: undefined,
    messageAt: undefined,
    mirrors: undefined,
  };
}

/** The channel on which the releases of a lock are announced. */
export function channelOf(key: LockKey): string {
  return key.oldChannel ?? KINDS[key.kind].channelOf(key.name);
}

/** Removes a field from a key. */
export function dropField(key: LockKey, field: string): void {
  holdersOf(key).delete(field);
}

/** Every holder of a key, without duplicates. */
export function holderIds(key: LockKey): string[] {
  const ids = [...key.holders.keys()];
  return KINDS[key.kind].hasReaders ? [...new Set(ids.map(holderOfField))] : ids;
}

/** Removes all holders from a key. Unless they released it, remembers how they lost their holds. */
export function clearKey(key: LockKey, how: 'expired' | 'gone' | 'released'): void {
  if (how !== 'released') {
    for (const field of key.holders.keys()) rememberLoss(key, field, how);
  }
  holdersOf(key).clear();
  key.isSeen = true;
  key.mirrors?.readTimeouts?.clear();
  key.mirrors?.values?.clear();
  const renewals = key.mirrors?.tokens?.unreportedRenewals;
  if (renewals) renewals.length = 0;
  if (key.mirrors?.heardLease !== undefined) key.mirrors.heardLease = undefined;
  key.expiresAt = undefined;
  key.foundLeaseMs = undefined;
  key.isEndOutdated = undefined;
}

/** Notes that what is known of the key's past does not count. If the key is known to exist, its content is kept. */
export function forgetBefore(key: LockKey): void {
  key.readInEpoch = NEVER;
  if (key.mirrors?.queue) key.mirrors.queue.readInEpoch = undefined;
  if (key.holders.size > 0 || key.mirrors?.counter?.value != null) return;
  key.isSeen = false;
  key.leaseMs = undefined;
  key.lost = undefined;
  key.lastExpiry = -1;
  key.lastLoss = -1;
  if (!key.mirrors) return;
  if (key.mirrors.counter) key.mirrors.counter = emptyCounter();
  delete key.mirrors.token;
  delete key.mirrors.isTokenAsked;
}

/** No watch epoch. */
const NEVER = -1;

/** Notes that the hold in this field was lost. The newest 100 losses of a key are kept. */
export function rememberLoss(key: LockKey, field: string, how: 'expired' | 'gone'): void {
  const lost = key.lost ?? new Map();
  key.lost = lost;
  lost.delete(field);
  lost.set(field, how);
  forgetOldest(lost, MOST_LOST);
}

/** The key's content as events carry it; null if the key has no holder. A count that is not known is 0. */
export function contentOf(key: LockKey): KeyContent | null {
  if (key.holders.size === 0) return null;
  const holders: FoundHolder[] = [];
  for (const [name, { count, mode }] of key.holders) {
    const values = key.mirrors?.values?.heldBy(name);
    holders.push({ holder: holderOfField(name), holdCount: count ?? 0, mode, ...(values ? { values } : undefined) });
  }
  return { holders, expiresAt: key.expiresAt ?? null };
}

/** The fields that the hash must have, with their values. A count that is not known is 1. */
export function fieldsOf(key: LockKey): Record<string, string> {
  const fields = byName<string>();
  const modes = new Set([...key.holders.values()].map(({ mode }) => mode));
  if (modes.has('read') || modes.has('write')) fields.mode = modes.has('write') ? 'write' : 'read';
  for (const [name, { count }] of key.holders) fields[name] = String(count ?? 1);
  return fields;
}

/** The writable holders. Only this file and `LockKeys` change them, so that `LockKeys.held` misses no key. */
export function holdersOf(key: LockKey): FewMap<string, Field> {
  return key.holders as FewMap<string, Field>; // made by `newLockKey`
}
