import type { Millis, RedisTime } from '../../base/time.ts';

/** The values in the sentences of each insight: a lock cannot be unlocked, or no client will unlock it. Times are Redis time; null: none, or not known. */
export type StuckValues = {
  /** The client of a holder has no connection left. */
  'holder-crashed-wait-ttl': {
    readonly holder: string;
    readonly goneSince: RedisTime | null;
    /** When its hold ends by itself; null: never, or not known. */
    readonly endsAt: RedisTime | null;
    /** True if the hold is known never to end by itself. */
    readonly neverEnds: boolean;
    /** How long until then; null: `endsAt` is. */
    readonly leftMs: Millis | null;
    readonly isPermit: boolean;
    readonly isReader: boolean;
    /** It reads, and other clients do, too. */
    readonly isShared: boolean;
    readonly waiting: number;
  };
  /** Redis stood still, and granted the lock when its client had probably stopped waiting for the answer. */
  'granted-after-timeout': {
    readonly holder: string;
    readonly since: RedisTime;
    readonly stoodFrom: RedisTime;
    readonly stoodTo: RedisTime;
    readonly endsAt: RedisTime | null;
    readonly waiting: number;
  };
  /** A thread unlocked a lock that it did not hold. */
  'unlock-by-non-owner': {
    readonly holder: string;
    readonly at: RedisTime;
    /** The thread that holds the lock now; null: none. */
    readonly heldBy: string | null;
    /** How often it did that within the time that is looked at. */
    readonly times: number;
    /** Its client returned from the unlock as if it had succeeded. */
    readonly sawSuccess: boolean;
    /** `never-got-it`: its own attempt had been refused. Otherwise: which one held the lock. */
    readonly how: 'never-got-it' | 'other-thread' | 'other-client';
    /** The holder at that time. */
    readonly ownerThen: string | null;
    /** When its own attempt was refused. */
    readonly triedAt: RedisTime | null;
  };
  /** An unlock took effect, but its client got no answer. */
  'unlock-replayed': {
    readonly holder: string;
    readonly unlockedAt: RedisTime;
    /** The unlock lowered the hold count, but not to 0. */
    readonly isPartly: boolean;
    /** The client sent it again: answered from the latch, or refused. Null: it did not. */
    readonly repeat: 'answered' | 'refused' | null;
    readonly times: number;
  };
  /** A client leaves a key behind with each unlock. */
  'latch-litter': {
    readonly client: string;
    readonly since: RedisTime;
    readonly unlocks: number;
    /** Keys that are there now. */
    readonly keys: number;
    readonly keptMs: Millis;
  };
  /** A held lock has no lease. */
  'no-ttl-lock': {
    readonly holder: string;
    readonly since: RedisTime | null;
    readonly isGone: boolean;
    readonly goneSince: RedisTime | null;
    readonly isRedisson: boolean;
    readonly waiting: number;
  };
  /** No open connection can belong to the client of a holder, or only silent ones. */
  'holder-without-connection': {
    readonly holder: string;
    /** The first instant without one, or when the silence began. */
    readonly since: RedisTime;
    /** How many open connections may be its own: all of them have long been silent. */
    readonly connections: number;
    /** Null: not known. */
    readonly endsAt: RedisTime | null;
    readonly isReader: boolean;
    /** Other clients hold the lock, too. */
    readonly isShared: boolean;
    readonly waiting: number;
  };
  /** The client of a holder is gone, and its lease is hours long. */
  'orphan-job-lock': {
    readonly holder: string;
    readonly goneSince: RedisTime | null;
    readonly since: RedisTime | null;
    readonly endsAt: RedisTime;
    readonly waiting: number;
  };
  /** An attempt ran twice, and one unlock left a count. */
  'phantom-hold-count': {
    readonly holder: string;
    readonly acquiredAt: RedisTime;
    /** When the second run counted as a re-entry. */
    readonly countedAt: RedisTime;
    readonly apartMs: Millis;
    /** When its unlock left a count. */
    readonly leftAt: RedisTime;
    readonly endsAt: RedisTime | null;
    readonly count: number;
    readonly waiting: number;
  };
  /** A reader whose client is gone is kept by another client's watchdog. */
  'rwlock-zombie-reader': {
    readonly holder: string;
    readonly goneSince: RedisTime | null;
    /** The holder whose watchdog keeps it. */
    readonly keptBy: string;
    readonly leaseMs: Millis | null;
    readonly waiting: number;
  };
  /** The hold count rises from 1 again and again. */
  'accidental-reentrancy': {
    readonly holder: string;
    readonly since: RedisTime | null;
    readonly lastAt: RedisTime;
    readonly rises: number;
    readonly count: number;
    readonly heldMs: Millis | null;
    /** No Java thread can have this number. */
    readonly isMadeUp: boolean;
  };
  /** A client took a lock twice, released it once, and its second unlock was refused. */
  'taken-twice-released-once': {
    readonly holder: string;
    readonly againAt: RedisTime;
    readonly releasedAt: RedisTime;
    readonly refusedAt: RedisTime;
  };
  /** A hold is renewed again and again, and its thread may have gone on without an unlock. */
  'zombie-renewal': {
    readonly holder: string;
    readonly since: RedisTime;
    readonly renewals: number;
    readonly heldMs: Millis;
    /** The number of holds before it, and of their renewals. */
    readonly before: number;
    readonly renewalsBefore: number;
    /** By how much the first renewal came too late, if that is the sign. */
    readonly lateMs: Millis | null;
    /** When another client force-unlocked it, if that is the sign. */
    readonly forcedAt: RedisTime | null;
    readonly waiting: number;
  };
  /** Threads wait far longer than the lock is usually held, and it is not handed over. */
  'threads-waited-long': {
    /** Null: no holder was seen. */
    readonly holder: string | null;
    /** When an attempt was last refused by a holder that was not seen; null: the holder is known. */
    readonly refusedAt: RedisTime | null;
    /** The holder is the id of a permit: Redis does not show its client. */
    readonly isPermit: boolean;
    /** Null: before watching began. */
    readonly heldSince: RedisTime | null;
    /** How many more threads hold the lock, for example to read. */
    readonly others: number;
    readonly isConnected: boolean;
    readonly isRenewed: boolean;
    /** Threads; or the connections that listen, where threads are not visible. */
    readonly waiting: number;
    /** They are in the queue of a fair lock, and it is not seen whether all of them still wait. */
    readonly areQueued: boolean;
    readonly areListeners: boolean;
    /** How long the oldest of them has waited, and whether it may be longer. */
    readonly waitedMs: Millis;
    readonly isAtLeast: boolean;
    /** The median of its newest holds, and how many they are; null: too few were seen. */
    readonly usualMs: Millis | null;
    readonly holds: number;
  };
};
