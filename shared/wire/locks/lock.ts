import { z } from 'zod';
import { CERTAINTIES } from '../../events/event.ts';
import { PRESENCES } from '../../events/mirror/clients/client.ts';
import { HOLD_MODES, WAIT_MODES } from '../../events/types/hold-event.ts';
import { LOCK_EVIDENCE } from '../../events/types/lock-evidence.ts';
import { LOCK_KINDS } from '../../events/types/lock-kind.ts';
import { KEY_LOSSES } from '../../state/lost-keys.ts';
import { unreadReason } from '../source.ts';
import { unseenThen } from '../unseen-at.ts';

export const lockKind = z.enum(LOCK_KINDS);

const holderFields = z.object({
  /** `uuid:thread`, or the token of other libraries. */
  id: z.string(),
  client: z.string(),
  thread: z.string().nullable(),
  /** The connection name from CLIENT LIST. */
  name: z.string().nullable(),
  /** `A`, `B` … `AA`: given when the holder first appears at this lock, and kept while the lock is remembered. */
  letter: z.string(),
  holdCount: z.number(),
  mode: z.enum(HOLD_MODES),
  /** Redis time (µs) of the acquisition; null: it was not seen, for example because it was before watching began. */
  since: z.number().nullable(),
  /** Redis time (µs) at which this hold was first seen, if `since` is null: the hold began earlier. */
  firstSeenAt: z.number().optional(),
  watchdog: z.enum(['on', 'off', 'unknown']),
  renewals: z.number(),
  lastRenewedAt: z.number().nullable(),
  expiresAt: z.number().nullable(),
  /** Reader of a read-write lock: when each of its timeout keys ends; null: not known. */
  timeouts: z.array(z.number().nullable()).optional(),
  presence: z.enum(PRESENCES),
  /** If the client is gone, the last instant (Redis time, µs) at which one of its connections was seen. */
  goneSince: z.number().nullable(),
  /** `host:port` of one of the client's connections; if it is gone, of the last one known. Absent: not known. */
  address: z.string().optional(),
  /** Group lock: the values this holder has, hashed as Redisson does, each with its own count and end. */
  values: z
    .array(z.object({ value: z.string(), holdCount: z.number().nullable(), expiresAt: z.number().nullable() }))
    .optional(),
  /**
   * The holder acquired this lock and others as one multi lock or RedLock (inferred). Its holds of these locks have the
   * same `group`.
   */
  group: z.string().optional(),
});
export interface Holder extends z.infer<typeof holderFields> {}
export const holderSchema: z.ZodType<Holder> = holderFields;

const waiterFields = z.object({
  id: z.string(),
  client: z.string(),
  thread: z.string().nullable(),
  name: z.string().nullable(),
  /** As for a holder. */
  letter: z.string(),
  mode: z.enum(WAIT_MODES),
  since: z.number(),
  /** The wait began at `since` or earlier, unseen. Absent: it began then. */
  isAtLeast: z.literal(true).optional(),
  attempts: z.number(),
  asleep: z.boolean(),
  position: z.number().nullable(),
  deadline: z.number().nullable(),
  presumedGone: z.boolean(),
  /** If the waiter's client is gone: as for a holder. */
  goneSince: z.number().optional(),
  /** The waiter wants this lock and others as one multi lock or RedLock: the same `group` as at these. */
  group: z.string().optional(),
});
export interface Waiter extends z.infer<typeof waiterFields> {}
export const waiterSchema: z.ZodType<Waiter> = waiterFields;

/** A holder that lost its hold in a failover and may not know it: Redis has no record, but the thread may continue. */
const believerFields = z.object({
  id: z.string(),
  client: z.string(),
  thread: z.string().nullable(),
  name: z.string().nullable(),
  /** As for a holder. */
  letter: z.string(),
  mode: z.enum(HOLD_MODES),
  since: z.number().nullable(),
  lostAt: z.number(),
  /** When the lease would have ended; the believer is dropped then. Null: never, or not known. */
  until: z.number().nullable(),
  presence: z.enum(PRESENCES),
  /** If the client is gone, the last instant (Redis time, µs) at which one of its connections was seen. */
  goneSince: z.number().nullable(),
  /** `host:port` of one of the client's connections; if it is gone, of the last one known. Absent: not known. */
  address: z.string().optional(),
});
export interface Believer extends z.infer<typeof believerFields> {}
export const believerSchema: z.ZodType<Believer> = believerFields;

/** One lock as of one instant. Times are Redis server time in µs, durations ms. */
const lockFields = z.object({
  /** `source/db/name`. */
  id: z.string(),
  source: z.string(),
  db: z.number(),
  name: z.string(),
  node: z.string().optional(),
  slot: z.number().optional(),
  kind: lockKind,
  /** False: the kind is a guess until something shows it. Absent: the kind is known. */
  kindKnown: z.boolean().optional(),
  /**
   * What shows that a key is probably a lock of the application's own, if no known library uses it. Verdicts about it
   * are at most `likely`. `POST /api/sources/ID/own-locks` confirms or dismisses it.
   *
   * - `name`: its name is that of a lock.
   * - `token`: its value looks like a token.
   * - `retried`: a client that was refused attempted again.
   * - `renewed`, `released`: the client that set it renewed its lease, or deleted it.
   * - `reused`: it was deleted and set again, with another token or with a word that was gone within seconds.
   */
  evidence: z.array(z.enum(LOCK_EVIDENCE)).optional(),
  library: z.string(),
  clientVersion: z.string().optional(),
  held: z.boolean(),
  /**
   * A thread was refused by a holder that was not seen, and whose end was not seen either. `held` is true while a
   * refused thread sleeps. If it is false, the lock may still be held.
   */
  holderUnseen: z.literal(true).optional(),
  holders: z.array(holderSchema),
  /** The number of holders that are not listed. Semaphore: the number of permits that they hold. Absent: none. */
  moreHolders: z.number().optional(),
  /** Threads that lost their hold in a failover and may not know it. Absent: there are none. */
  believers: z.array(believerSchema).optional(),
  waiters: z.array(waiterSchema),
  /** The number of waiters that are not listed; absent: none. */
  moreWaiters: z.number().optional(),
  subscribers: z.number().nullable(),
  /** Since when at least one connection has listened, as far as seen. Absent: none listens, as far as seen. */
  listenedSince: z.number().optional(),
  lease: z.object({
    ms: z.number().nullable(),
    /** When the lease ends. Null: it has no end (`neverEnds`), or the end is not known. */
    expiresAt: z.number().nullable(),
    /** Whether the key is known to have no end. */
    neverEnds: z.literal(true).optional(),
  }),
  /**
   * The lock is free because its key was lost at `at`, and it has not been held since. Absent: it was not lost, or the
   * loss was not seen.
   */
  lost: z.object({ at: z.number(), by: z.enum(KEY_LOSSES) }).optional(),
  fencingToken: z.string().optional(),
  /** Semaphore; absent if the number is not known. */
  permits: z.object({ available: z.number(), total: z.number().nullable() }).optional(),
  /** Count-down latch; absent if the count is not known. */
  latch: z.object({ count: z.number() }).optional(),
  certainty: z.enum(CERTAINTIES),
  /**
   * The key has not been read since `since` (Redis time), because it is too large or refused: what is shown may be
   * wrong. Absent: it is read.
   */
  unread: z.object({ since: z.number(), reason: unreadReason }).optional(),
  /**
   * It is only assumed that the lock has these holders, or is free. From this Redis time on, its source was not watched
   * for a while, and since then no command and no read has shown its state. Absent: its state was shown.
   */
  assumedSince: z.number().optional(),
  /** The source has not been watched since this Redis time: the lock is shown as it was then. Absent: it is watched. */
  unwatchedSince: z.number().optional(),
  /**
   * Hand-overs: acquisitions by threads that had waited. `perSecond`: their average number from the first (`since`) to
   * the newest one (`at`). A hand-over fades with a time constant of 30 s. Absent: none was seen.
   */
  handovers: z.object({ perSecond: z.number(), since: z.number(), at: z.number() }).optional(),
  /**
   * Threads that were refused three times or more, each time at most 10 s after the last, without a sign that they
   * wait. Whether they wait is not visible. `attempts`: those of all these `threads`, from `since` to `lastAt`.
   * `oftenSince`: since when one of them has attempted ten times or more, more than once a second on average; absent:
   * none has. Absent: there are no such threads.
   */
  refusedAgain: z
    .object({
      ...{ threads: z.number(), attempts: z.number(), since: z.number(), lastAt: z.number() },
      oftenSince: z.number().optional(),
    })
    .optional(),
  /** Redis time of the last event about this lock. */
  changedAt: z.number(),
});
export interface Lock extends z.infer<typeof lockFields> {}
export const lockSchema: z.ZodType<Lock> = lockFields;

/** A lock with the fields that `GET /api/locks/:name` adds. */
export const lockDetailSchema = lockFields.extend({
  stats: z.object({
    acquisitions: z.number(),
    refusals: z.number(),
    renewals: z.number(),
    expiries: z.number(),
    /** Only of holds and waits whose beginning and end were seen. */
    holdMs: z.object({ count: z.number(), median: z.number().nullable(), max: z.number().nullable() }),
    waitMs: z.object({ count: z.number(), median: z.number().nullable(), max: z.number().nullable() }),
  }),
  /** The raw Redis keys and channels behind the lock. */
  keys: z.array(z.object({ key: z.string(), role: z.string(), type: z.string() })),
});

/** The answer of `GET /api/locks/:name`. */
export const lockBody = lockDetailSchema.extend({ v: z.literal(1), at: z.number(), ...unseenThen });

export type LockDetail = z.infer<typeof lockDetailSchema>;
