import { z } from 'zod';

/** How much of Redis a source sees, from least to most. */
export const observeLevel = z.enum(['snapshot', 'events', 'monitor']);

/**
 * Why a key is not read: it has too many fields, too many bytes, or its reply was too long. `beside`: its hash is read, but
 * not its list of waiters or permits, which has too many bytes.
 */
export const unreadReason = z.enum(['fields', 'bytes', 'reply', 'beside']);

/** One observed Redis: its health, its level and what that level cannot see. */
export const sourceSchema = z.object({
  id: z.string(),
  /** Never with credentials. */
  url: z.string(),
  redisVersion: z.string(),
  role: z.enum(['master', 'replica']),
  /** What it is one of: absent in recordings of old. */
  topology: z.enum(['single', 'sentinel', 'cluster']).optional(),
  /** `host:port` of the server that answers for it now; absent while there is none, or it is a socket. */
  node: z.string().optional(),
  /** Servers that copy it, as `host:port`. */
  replicas: z.array(z.string()).optional(),
  /** Cluster: first and last of each run of slots it serves. */
  slots: z.array(z.tuple([z.number(), z.number()])).optional(),
  status: z.enum(['connecting', 'observing', 'reconnecting', 'failed']),
  /** Whoever brought this server has ended it on purpose, as a scenario does: nothing to mend. */
  ended: z.boolean().optional(),
  level: observeLevel,
  lagMs: z.number(),
  linesPerSecond: z.number(),
  guard: z.object({ state: z.enum(['ok', 'tripped']), reason: z.string().optional() }),
  /** Redis time when the level before comes back; null or absent: the level has no end. */
  levelUntil: z.number().nullable().optional(),
  /** The level that a switch under way leads to. */
  nextLevel: observeLevel.optional(),
  /** What Redis does now, and what MONITOR takes of it, or would take. Shares are of one core; null: unknown. */
  monitor: z
    .object({
      costShare: z.number().nullable(),
      /** `measured`: corrected by what this server really spent on MONITOR. */
      basis: z.enum(['estimated', 'measured']),
      inputBytesPerSecond: z.number().nullable(),
      opsPerSecond: z.number().nullable(),
      redisCpuShare: z.number().nullable(),
      pingMs: z.number().nullable(),
      /** Our own output that waits in Redis, as last seen. */
      bufferedBytes: z.number(),
      /** What Redis keeps for a subscriber at most; 0: no limit, null: unknown. */
      outputLimitBytes: z.number().nullable(),
      /** Connections lost at level `monitor`. */
      cuts: z.number(),
      /** At level `monitor`: the figures from before it began. */
      before: z
        .object({ opsPerSecond: z.number(), redisCpuShare: z.number().nullable(), pingMs: z.number() })
        .optional(),
    })
    .optional(),
  /** Sentences: what this level cannot see. */
  cannotSee: z.array(z.string()),
  /** What the key-event feed is: pushed notifications, client tracking, or off. */
  keyEvents: z.enum(['notifications', 'tracking', 'off']),
  /** One line saying what is wrong and what to do, when status is not `observing`. */
  problem: z.object({ code: z.string(), message: z.string(), hint: z.string() }).optional(),
  /** Milliseconds until the next try to connect; absent while connected, while a try is under way, or if there is none. */
  nextTryMs: z.number().optional(),
  /** Redis time of the last snapshot; null before the first. */
  snapshotAt: z.number().nullable(),
  /** Differences between state and snapshot that no blind spot explains. */
  drift: z.number(),
  /** Why locks that are held may be missing from what is shown. Absent: nothing is known to be missing. */
  missing: z
    .object({
      /** How much of the first scan of all keys is done, from 0 to 1; absent once it is complete. */
      firstScan: z.number().optional(),
      /** More locks are held than `--memory` has room for. */
      isFull: z.boolean().optional(),
    })
    .optional(),
  /** Keys that are too large to be read: known locks, and keys that may be locks. Absent: none. */
  unread: z
    .object({
      count: z.number(),
      /** At most ten of them, known locks first. */
      first: z.array(
        z.object({
          db: z.number(),
          /** At most 200 characters of it. */
          name: z.string(),
          reason: unreadReason,
          /** How many fields or bytes; 0 if that is not known. */
          size: z.number(),
          /** Redis time since when it is not read. */
          since: z.number(),
          /** What is shown of this lock was true at `since` and may be wrong by now. */
          isKnownLock: z.boolean(),
        }),
      ),
    })
    .optional(),
  /**
   * Keys that look like locks which an application made itself, with `SET … NX` and a lease. They are not shown as locks
   * unless asked for (`POST /api/sources/ID/own-locks`). Absent: none, and not asked for.
   */
  ownLocks: z
    .object({
      count: z.number(),
      /** There are more than are counted. */
      isMore: z.boolean(),
      /** At most ten of their names, the newest first, at most 200 characters of each. */
      names: z.array(z.string()),
      isShown: z.boolean(),
    })
    .optional(),
  /** Lines and frames that could not be read. */
  rejected: z.number(),
  /** Redis time now minus this machine's time, in milliseconds. */
  clockOffsetMs: z.number(),
  /** What is watched is a recording, no Redis: where it begins and ends, in Redis time of then. */
  recording: z
    .object({
      name: z.string(),
      startedAt: z.number(),
      endsAt: z.number(),
      /** It plays as if it were live: events come at their time, and with times of now. */
      playing: z.boolean(),
      /** Its end is missing. */
      cutShort: z.boolean(),
      /** Lines that could not be read; the first of them by number. */
      badLines: z.object({ count: z.number(), first: z.array(z.object({ line: z.number(), reason: z.string() })) }),
    })
    .optional(),
  /** The file that what is seen is recorded to. */
  recorder: z
    .object({
      file: z.string(),
      state: z.enum(['waiting', 'writing', 'failed', 'ended']),
      signals: z.number(),
      bytes: z.number(),
      problem: z.object({ code: z.string(), message: z.string(), hint: z.string() }).optional(),
    })
    .optional(),
});

export type ObserveLevel = z.infer<typeof observeLevel>;
export type Source = z.infer<typeof sourceSchema>;
