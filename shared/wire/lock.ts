import { z } from 'zod';
import { unreadReason } from './source.ts';

export const lockKind = z.enum([
  'lock',
  'fair-lock',
  'read-write-lock',
  'fenced-lock',
  'spin-lock',
  'group-lock',
  'semaphore',
  'expirable-semaphore',
  'latch',
  'token-lock',
]);

export const holderSchema = z.object({
  /** `uuid:thread`, or the token of other libraries. */
  id: z.string(),
  client: z.string(),
  thread: z.string().nullable(),
  /** The connection name from CLIENT LIST. */
  name: z.string().nullable(),
  /** `A`, `B` … `AA`: given when it first appears at this lock, and kept while the lock is remembered. */
  letter: z.string(),
  holdCount: z.number(),
  mode: z.enum(['exclusive', 'read', 'write', 'permit']),
  /** Redis time (µs) it was acquired; null when that was before anybody watched. */
  since: z.number().nullable(),
  watchdog: z.enum(['on', 'off', 'unknown']),
  renewals: z.number(),
  lastRenewedAt: z.number().nullable(),
  expiresAt: z.number().nullable(),
  /** Reader of a read-write lock: when each of its timeout keys ends, as far as known. */
  timeouts: z.array(z.number().nullable()).optional(),
  presence: z.enum(['connected', 'idle', 'gone', 'unknown']),
  /** If it is gone, the last instant (Redis time, µs) at which one of its connections was seen. */
  goneSince: z.number().nullable(),
  /** `host:port` of one of its connections; if it is gone, of the last one known. Absent: not known. */
  address: z.string().optional(),
  /** Group lock: what of it this holder has, hashed as Redisson does, each with its own count and end. */
  values: z
    .array(z.object({ value: z.string(), holdCount: z.number().nullable(), expiresAt: z.number().nullable() }))
    .optional(),
  /** It holds this lock together with others, as one multi lock or RedLock (inferred): the same on all of them. */
  group: z.string().optional(),
});

export const waiterSchema = z.object({
  id: z.string(),
  client: z.string(),
  thread: z.string().nullable(),
  name: z.string().nullable(),
  /** As of a holder. */
  letter: z.string(),
  mode: z.enum(['exclusive', 'read', 'write', 'permit', 'latch']),
  since: z.number(),
  attempts: z.number(),
  asleep: z.boolean(),
  position: z.number().nullable(),
  deadline: z.number().nullable(),
  presumedGone: z.boolean(),
  /** If its client is gone: as of a holder. */
  goneSince: z.number().optional(),
  /** It wants this lock together with others, as above. */
  group: z.string().optional(),
});

/** Who lost its hold in a failover and was not told: Redis has nothing of it, its thread works on. */
export const believerSchema = z.object({
  id: z.string(),
  client: z.string(),
  thread: z.string().nullable(),
  name: z.string().nullable(),
  /** As of a holder. */
  letter: z.string(),
  mode: z.enum(['exclusive', 'read', 'write', 'permit']),
  since: z.number().nullable(),
  lostAt: z.number(),
  /** When its lease would have run out: nobody may go on after that. Null: not known. */
  until: z.number().nullable(),
  presence: z.enum(['connected', 'idle', 'gone', 'unknown']),
  /** If it is gone, the last instant (Redis time, µs) at which one of its connections was seen. */
  goneSince: z.number().nullable(),
  /** `host:port` of one of its connections; if it is gone, of the last one known. Absent: not known. */
  address: z.string().optional(),
  /** It holds this lock together with others, as one multi lock or RedLock (inferred): the same on all of them. */
  group: z.string().optional(),
});

/** One lock as of one instant. Times are Redis server time in µs, durations ms. */
export const lockSchema = z.object({
  /** `source/db/name`. */
  id: z.string(),
  source: z.string(),
  db: z.number(),
  name: z.string(),
  node: z.string().optional(),
  slot: z.number().optional(),
  kind: lockKind,
  /** False: a guess until its first script is seen. Absent: known. */
  kindKnown: z.boolean().optional(),
  library: z.string(),
  clientVersion: z.string().optional(),
  held: z.boolean(),
  holders: z.array(holderSchema),
  /** How many more hold it than are listed; of a semaphore: how many more permits are out. Absent: none. */
  moreHolders: z.number().optional(),
  /** Absent: nobody. */
  believers: z.array(believerSchema).optional(),
  waiters: z.array(waiterSchema),
  /** How many more wait than are listed; absent: none. */
  moreWaiters: z.number().optional(),
  subscribers: z.number().nullable(),
  lease: z.object({ ms: z.number().nullable(), expiresAt: z.number().nullable() }),
  fencingToken: z.string().optional(),
  /** Semaphore; absent where the number is not known. */
  permits: z.object({ available: z.number(), total: z.number().nullable() }).optional(),
  /** Count-down latch; absent where the count is not known. */
  latch: z.object({ count: z.number() }).optional(),
  certainty: z.enum(['observed', 'inferred']),
  /** It has been too large to be read since this Redis time: what is shown may be wrong. Absent: it is read. */
  unread: z.object({ since: z.number(), reason: unreadReason }).optional(),
  /** Its source has not been watched since this Redis time: what is shown was so then. Absent: it is watched. */
  unwatchedSince: z.number().optional(),
  /** Redis time of the last event about this lock. */
  changedAt: z.number(),
});

/** What `GET /api/locks/:name` adds. */
export const lockDetailSchema = lockSchema.extend({
  stats: z.object({
    acquisitions: z.number(),
    refusals: z.number(),
    renewals: z.number(),
    expiries: z.number(),
    holdMs: z.object({ count: z.number(), median: z.number().nullable(), max: z.number().nullable() }),
    waitMs: z.object({ count: z.number(), median: z.number().nullable(), max: z.number().nullable() }),
  }),
  /** The raw Redis keys and channels behind the lock. */
  keys: z.array(z.object({ key: z.string(), role: z.string(), type: z.string() })),
});

export type Lock = z.infer<typeof lockSchema>;
export type LockDetail = z.infer<typeof lockDetailSchema>;
export type Holder = z.infer<typeof holderSchema>;
export type Waiter = z.infer<typeof waiterSchema>;
export type Believer = z.infer<typeof believerSchema>;
