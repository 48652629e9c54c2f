import type { Millis, RedisTime } from '../../base/time.ts';

/** The values in the sentences of each insight: a lock was lost while its holder still works. Times are Redis time; null: none, or not known. */
export type LostValues = {
  /** A watchdog that renewed before is late, and its client is not known to be gone. */
  'renewal-overdue': {
    readonly holder: string;
    readonly dueAt: RedisTime;
    readonly endsAt: RedisTime | null;
    readonly renewals: number;
  };
  /** A holder lost its lock in a failover or a restart and does not know it. */
  'failover-lock-lost': {
    readonly holder: string;
    readonly lostAt: RedisTime;
    readonly endsAt: RedisTime | null;
    /** The thread that holds the lock now; null: none. */
    readonly heldBy: string | null;
  };
  /** A RedLock is on half of its servers or fewer: the others lost it in a restart or a failover. */
  'redlock-node-restart': {
    /** Its holder on one of the servers that still have it. */
    readonly holder: string;
    /** How many watched servers had it, and how many of them still do. */
    readonly servers: number;
    readonly left: number;
    /** When it was lost on the server with which it had a majority. */
    readonly lostAt: RedisTime;
    /** The thread of another RedLock that has it on most of the same servers; null: none. */
    readonly heldBy: string | null;
  };
  /** A lease that was never renewed ran out before the thread came to unlock. */
  'lease-shorter-than-work': {
    readonly holder: string;
    readonly leaseMs: Millis;
    readonly endedAt: RedisTime;
    /** When its unlock, or its renewal, was refused. Null: that cannot be seen at this level. */
    readonly unlockedAt: RedisTime | null;
    readonly isRenewal: boolean;
    /** When the lease that ended was set by a renewal; null: by the acquisition. */
    readonly renewedAt: RedisTime | null;
    /** From then to the refusal. */
    readonly heldMs: Millis | null;
    /** How many earlier holds with this lease were released in time. Null if the unlock was seen. */
    readonly releasedBefore: number | null;
    /** The thread that got the lock in between; null: none. */
    readonly takenBy: string | null;
    readonly takenAt: RedisTime | null;
    readonly isRedisson: boolean;
    /** Whether the watchdogs of this lock's clients are known to set another lease, so that this one cannot be theirs. */
    readonly isWatchdogKnown: boolean;
  };
  /** Redis evicted a held lock. */
  'evicted-lock-key': Omit<Lost, 'holder'> & {
    /** Null: it was not seen, but a thread was refused before. */
    readonly holder: string | null;
    /** The setting `maxmemory-policy`; null: not known. */
    readonly policy: string | null;
  };
  /** A plain command removed a held lock. */
  'operator-delete-or-flush': Omit<Lost, 'holder'> & {
    /** Null: it was not seen. It took the lock before watching began, or in a gap. */
    readonly holder: string | null;
    /** When the attempt of a thread that then slept was last refused, if no holder was seen. */
    readonly refusedAt: RedisTime | null;
    /** Null: not seen at this level. */
    readonly command: string | null;
    readonly address: string | null;
    /** When the command set an earlier end of the lease, which then ended; null: it removed the lock. */
    readonly shortenedAt: RedisTime | null;
    /** All keys of its database are gone, and no command was seen. */
    readonly isEmptied: boolean;
    readonly isRedisson: boolean;
  };
  /** A thread lost the lock before watching began, and came to renew or unlock it. */
  'lost-before-watching': {
    readonly holder: string;
    readonly at: RedisTime;
    readonly isRenewal: boolean;
    /** Whether another thread is known to have held it then. */
    readonly isHeldByOther: boolean;
    /** Since when the server has been watched. */
    readonly since: RedisTime;
  };
  /** A former holder deleted the lock of the next one. */
  'foreign-delete': Lost & {
    readonly late: string;
    /** When the hold of the former holder had expired; null: not known. */
    readonly expiredAt: RedisTime | null;
  };
  /** The renewals of a reader stopped when another thread of its client released. */
  'read-renewal-lost': {
    readonly holder: string;
    readonly endedAt: RedisTime;
    /** Null: no unlock can be seen at this level. */
    readonly unlockedAt: RedisTime | null;
    /** The thread that released. It had held the read lock twice before. */
    readonly releasedBy: string;
    readonly releasedAt: RedisTime;
    readonly takenBy: string | null;
    readonly takenAt: RedisTime | null;
  };
  /** A client that lives stopped renewing a lock. */
  'renewal-broken-after-error': {
    readonly holder: string;
    readonly endedAt: RedisTime;
    /**
     * `gave-up`: after a renewal without an answer. `stale`: after the lock was deleted under it. `no-holder`: its renewals
     * named no holder. `not-run`: Redis did not run its renewals. `unseen`: no renewal came, and why is not seen at this level.
     */
    readonly fault: 'gave-up' | 'stale' | 'no-holder' | 'not-run' | 'unseen';
    /** With `stale`: how many holds have expired without a renewal since. With the others: how many such renewals came. */
    readonly times: number;
    /** The releases that the client can be; null with `no-holder`, `not-run` and `unseen`. */
    readonly version: string | null;
    readonly takenBy: string | null;
    readonly takenAt: RedisTime | null;
  };
  /** The one script that renews all locks of a client is refused, because two of them are in different slots. */
  'watchdog-batch-failure': {
    /** The holder of the lock that expired first, and how many of its client expired together. */
    readonly holder: string;
    readonly locks: number;
    /** How many scripts the server refused with CROSSSLOT at that time, for any client. */
    readonly refusals: number;
    /** Since when the client held two locks in different slots. */
    readonly since: RedisTime;
    readonly endedAt: RedisTime;
    readonly takenBy: string | null;
    readonly takenAt: RedisTime | null;
    /** The lock is renewed, but a timeout key of the reader `holder` was not: it expired at `endedAt`. */
    readonly isReader: boolean;
  };
  /** A lease expired that its watchdog had renewed before. */
  'watchdog-starved': {
    readonly holder: string;
    readonly renewedAt: RedisTime;
    readonly endedAt: RedisTime;
    /** When the next renewal came and found no lock; null: none was seen yet. */
    readonly lateAt: RedisTime | null;
    /** Whether the commands of its thread since then would have been seen. */
    readonly areCommandsSeen: boolean;
    readonly takenBy: string | null;
    readonly takenAt: RedisTime | null;
  };
};

/** A hold that was lost, and the thread that got the lock before the former holder noticed. */
type Lost = {
  readonly holder: string;
  readonly at: RedisTime;
  readonly takenBy: string | null;
  readonly takenAt: RedisTime | null;
};
