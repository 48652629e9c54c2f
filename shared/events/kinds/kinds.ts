import type { KeyRead } from '../../signals/signal.ts';
import { deadlinesKey, latchChannel, lockOfDeadlinesKey, semaphoreChannel } from '../names/counter-names.ts';
import { parseValueField } from '../names/group-lock-names.ts';
import {
  lockChannel,
  lockOfQueueKey,
  lockOfTimeoutsKey,
  lockOfTokenKey,
  queueKey,
  readWriteChannel,
  timeoutsKey,
  tokenKey,
} from '../names/names.ts';
import type { LockKind } from '../types/lock-kind.ts';
import { type Companion, type Companions, ownString } from './companion.ts';

/** The traits by which a kind of lock differs from others, as far as code outside its own files needs them. */
type KindTraits = {
  /** The lock's own key in Redis: a hash with a field per holder, a string with the holder's token, or a number. */
  readonly ownKey: 'hash' | 'token' | 'number';
  /**
   * How a waiter learns that the lock is free: a message to all, a message to the head of a queue, or by asking again.
   */
  readonly wakeUp: 'channel' | 'own-channel' | 'polling';
  /** The channel on which a release is announced. */
  channelOf(lock: string): string;
  /** The message that wakes every sleeper. Any other message wakes one sleeper of each client. */
  readonly messageToAll?: string;
  /** A message that wakes no sleeper. */
  readonly messageToNone?: string;
  /** A holder's field in the hash shows that there is no other holder. */
  readonly isExclusive?: true;
  /** Waiters have places in a queue in Redis, and only the first one can acquire the lock. */
  readonly hasQueue?: true;
  /** Waiters attempt again after pauses that double, up to 128 ms, and a release sends no message. */
  readonly backsOff?: true;
  /** Readers hold the lock together: each field of its hash belongs to a read hold or a write hold. */
  readonly hasReaders?: true;
  /** The lock has several values. A holder holds some of them, and each ends separately. */
  readonly hasValues?: true;
  /** What the counter counts. The same word is the mode in which clients wait for it. */
  readonly counts?: 'permit' | 'latch';
  /** Each permit of the semaphore has an id and its own end. */
  readonly hasPermitIds?: true;
  /** A lock that is assumed to have this kind may turn out to have another: any other kind, or only the one named. */
  readonly isAssumedFor?: 'any' | LockKind;
  /** The acquire script differs from that of a plain lock. */
  readonly hasOwnAcquire?: true;
  /** Keys beside the lock's own, and its own key if that is not a hash of holders. */
  readonly companions?: readonly Companion[];
  /** Whether a read of the companions shows that a lock has this kind. */
  isShownBy?(found: Companions): boolean;
  /** Whether the fields of a lock's hash show that it has this kind. */
  isShownByHash?(fields: KeyRead['fields']): boolean;
};

const HASH = { ownKey: 'hash', wakeUp: 'channel', channelOf: lockChannel } as const;
const PERMITS = ownString('permits');
const COUNTER = { ownKey: 'number', wakeUp: 'channel' } as const;

/** Every kind of lock. A read is compared with them in this order: the first kind that it shows decides. */
export const KINDS: Readonly<Record<LockKind, KindTraits>> = {
  latch: {
    ...COUNTER,
    channelOf: latchChannel,
    messageToNone: '1', // sent when the latch is set or deleted; `0` opens it
    counts: 'latch',
    companions: [ownString('count')],
  },
  'group-lock': {
    ...HASH,
    hasOwnAcquire: true,
    hasValues: true,
    isShownByHash: (fields) => Object.keys(fields).some((field) => parseValueField(field) !== undefined),
  },
  'fenced-lock': {
    ...HASH,
    isExclusive: true,
    hasOwnAcquire: true,
    companions: [{ role: 'fencing-token', type: 'string', keyOf: tokenKey, lockOf: lockOfTokenKey }],
    isShownBy: (found) => hasItems(found, 'fencing-token'),
  },
  'spin-lock': { ...HASH, wakeUp: 'polling', isExclusive: true, backsOff: true },
  lock: { ...HASH, isExclusive: true, isAssumedFor: 'any' },
  'fair-lock': {
    ...HASH,
    wakeUp: 'own-channel',
    isExclusive: true,
    hasQueue: true,
    hasOwnAcquire: true,
    companions: [
      { role: 'queue', type: 'list', lengthRole: 'queueLength', keyOf: queueKey, lockOf: lockOfQueueKey },
      { role: 'timeouts', type: 'zset', keyOf: timeoutsKey, lockOf: lockOfTimeoutsKey },
    ],
    isShownBy: (found) => hasItems(found, 'queue') || hasItems(found, 'timeouts'),
  },
  'read-write-lock': {
    ...HASH,
    channelOf: readWriteChannel,
    hasReaders: true,
    messageToAll: '1', // sent by a write release
    hasOwnAcquire: true,
    isShownByHash: (fields) => fields.mode === 'read' || fields.mode === 'write',
  },
  'expirable-semaphore': {
    ...COUNTER,
    channelOf: semaphoreChannel,
    counts: 'permit',
    hasPermitIds: true,
    companions: [
      PERMITS,
      {
        role: 'deadlines',
        type: 'zset',
        lengthRole: 'permitsOut',
        keyOf: deadlinesKey,
        lockOf: lockOfDeadlinesKey,
        isCommonName: true,
      },
    ],
  },
  semaphore: {
    ...COUNTER,
    channelOf: semaphoreChannel,
    counts: 'permit',
    isAssumedFor: 'expirable-semaphore',
    companions: [PERMITS],
  },
  'token-lock': {
    ...HASH,
    ownKey: 'token',
    wakeUp: 'polling', // some libraries wake waiters on a channel that only they know
    hasOwnAcquire: true,
    companions: [ownString('token')],
    isShownBy: (found) => found.library !== undefined,
  },
};

function hasItems(found: Companions, role: string): boolean {
  return (found[role]?.length ?? 0) > 0;
}

/** Whether the own key of a lock of this kind is a number: a semaphore or a latch. */
export function isCounterKind(kind: LockKind): boolean {
  return KINDS[kind].ownKey === 'number';
}

/** Whether the key of a lock of this kind is a string with the holder's token. */
export function isTokenKind(kind: LockKind): boolean {
  return KINDS[kind].ownKey === 'token';
}

/** What the number of a counter counts; `undefined` for other kinds. */
export function countedBy(kind: LockKind): 'permit' | 'latch' | undefined {
  return KINDS[kind].counts;
}

/** Whether evidence for `kind` does not contradict that a lock has another kind, `known`. */
export function isAssumed(kind: LockKind, known: LockKind): boolean {
  const { isAssumedFor } = KINDS[kind];
  return isAssumedFor === 'any' || isAssumedFor === known;
}

/** Whether the own key of a lock of this kind is a string in Redis. */
export function isStringKind(kind: LockKind): boolean {
  return KINDS[kind].ownKey !== 'hash';
}

/** The kind that companion keys of a lock, or the fields of its hash, show; undefined if they show none. */
export function kindShownBy({ companions, fields }: KeyRead): LockKind | undefined {
  return ALL_KINDS.find((kind) => {
    const { isShownBy, isShownByHash } = KINDS[kind];
    return (companions && isShownBy?.(companions)) || isShownByHash?.(fields);
  });
}

const ALL_KINDS = Object.keys(KINDS) as LockKind[]; // the keys of a complete record

/** Every companion key, with the kind it belongs to. */
export const COMPANIONS: readonly (Companion & { readonly kind: LockKind })[] = ALL_KINDS.flatMap((kind) =>
  (KINDS[kind].companions ?? []).map((companion) => ({ ...companion, kind })),
);

const SHOWING_THE_KIND: readonly Companion[] = COMPANIONS.filter(
  ({ kind, isOwnKey }) => KINDS[kind].isShownBy !== undefined && !isOwnKey,
);

type KindOfKey = {
  readonly kind: LockKind;
  readonly isKindKnown: boolean;
  readonly mirrors?: { readonly counter?: { readonly isSet?: true; readonly value?: unknown } } | undefined;
};

/**
 * The companions to read together with a lock's hash: those of its kind. While the kind is not known, all companions
 * that could show it, except own keys that are not a hash. None for a semaphore that is a sorted set or a hash of jobs.
 */
export function companionsOf(key: KindOfKey | undefined): readonly Companion[] {
  if (key?.mirrors?.counter?.isSet) return [];
  const { isAssumedFor } = KINDS[key?.kind ?? 'lock'];
  // a channel may belong to either of two kinds: the first read shows which
  const isOpen = key?.mirrors?.counter?.value === undefined && isAssumedFor !== undefined && isAssumedFor !== 'any';
  if (isOpen) return KINDS[isAssumedFor].companions ?? [];
  return key?.isKindKnown ? (KINDS[key.kind].companions ?? []) : SHOWING_THE_KIND;
}

/** The lock, the kind and the role of a companion key; undefined for any other key. */
export function companionFrom(
  key: string,
): { lock: string; role: string; kind: LockKind; isCommonName?: true } | undefined {
  for (const { role, kind, lockOf, isCommonName } of COMPANIONS) {
    const lock = lockOf(key);
    if (lock !== undefined) return { lock, role, kind, ...(isCommonName ? { isCommonName } : undefined) };
  }
  return undefined;
}
