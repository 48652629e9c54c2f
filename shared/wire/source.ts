import { z } from 'zod';
import { OBSERVE_LEVELS } from '../base/observe-level.ts';
import { SERVER_ROLES } from '../base/server-role.ts';
import { BAD_LINE_REASONS } from '../recording/bad-line.ts';
import { REJECTED_REASONS } from '../signals/rejected-reason.ts';
import { problemSchema } from './problems/problem-schema.ts';

/** How a source is watched, from the least to the most detail. */
export const observeLevel = z.enum(OBSERVE_LEVELS);

/**
 * Why a key is not read: it has too many fields or too many bytes, or its reply was too long. `beside`: its hash is
 * read, but its list of waiters or permits is not, because it has too many bytes. `rights`: this user may not read it.
 */
export const unreadReason = z.enum(['fields', 'bytes', 'reply', 'beside', 'rights']);

/** One source: its health, its level, and what cannot be seen of it. */
export const sourceFields = z.object({
  id: z.string(),
  /** Without credentials. */
  url: z.string(),
  redisVersion: z.string(),
  role: z.enum(SERVER_ROLES),
  /** Absent only in old recordings. */
  topology: z.enum(['single', 'sentinel', 'cluster']).optional(),
  /** `host:port` of its current server; absent if it has no server now, or if that is a Unix socket. */
  node: z.string().optional(),
  /** The replicas, as `host:port`. */
  replicas: z.array(z.string()).optional(),
  /** Cluster: the first and last slot of each range it serves. */
  slots: z.array(z.tuple([z.number(), z.number()])).optional(),
  status: z.enum(['connecting', 'observing', 'reconnecting', 'failed']),
  /** The server was stopped on purpose, for example by a scenario. */
  ended: z.boolean().optional(),
  level: observeLevel,
  lagMs: z.number(),
  linesPerSecond: z.number(),
  /** `tripped`: the level is lower than requested. `reason`: why, and the lower level, in English. */
  guard: z.object({
    state: z.enum(['ok', 'tripped']),
    reason: z.string().optional(),
    problem: problemSchema.optional(),
  }),
  /** Redis time at which the previous level is restored; null or absent: the level has no end. */
  levelUntil: z.number().nullable().optional(),
  /** The level that is being switched to. */
  nextLevel: observeLevel.optional(),
  /** What Redis is doing, and what MONITOR costs or would cost it. Shares are of one core; null: unknown. */
  monitor: z
    .object({
      costShare: z.number().nullable(),
      /** `measured`: corrected by what MONITOR really cost this server. */
      basis: z.enum(['estimated', 'measured']),
      inputBytesPerSecond: z.number().nullable(),
      opsPerSecond: z.number().nullable(),
      redisCpuShare: z.number().nullable(),
      pingMs: z.number().nullable(),
      /** Output for our connection that waits in Redis, as last seen. */
      bufferedBytes: z.number(),
      /** Redis's output limit for a subscriber; 0: no limit, null: unknown. */
      outputLimitBytes: z.number().nullable(),
      /** Connections lost at level `monitor`. */
      cuts: z.number(),
      /** At level `monitor`: the same figures from before the switch. */
      before: z
        .object({ opsPerSecond: z.number(), redisCpuShare: z.number().nullable(), pingMs: z.number() })
        .optional(),
    })
    .optional(),
  /**
   * The figures that the server reported about itself in the last 10 s. Null: it does not report the figure; absent:
   * not requested yet.
   */
  server: z
    .object({
      uptimeSeconds: z.number().nullable(),
      usedMemoryBytes: z.number().nullable(),
      /** The setting `maxmemory`. Null also if the server has no limit. */
      maxMemoryBytes: z.number().nullable(),
      clients: z.number().nullable(),
    })
    .optional(),
  /** What cannot be seen, because of the level, missing rights, `--match` or the server. */
  unseen: z.array(problemSchema),
  /** As `unseen`, in English. */
  cannotSee: z.array(z.string()),
  /**
   * How changes of keys arrive: as notifications, through the replication stream, by client tracking, or not at all. At
   * level `monitor`, commands show changes: then this is about expiries.
   */
  keyEvents: z.enum(['notifications', 'replication', 'tracking', 'off']),
  /**
   * What `notify-keyspace-events` should be on this server, beside the flags that are set. Absent: not connected, or a
   * recording.
   */
  wantedKeyEvents: z.string().optional(),
  /**
   * What is wrong and what to do, also if `status` is `observing` but Redis does not answer. Absent: nothing is wrong.
   */
  problem: problemSchema.optional(),
  /** Milliseconds until the next connection attempt; absent while connected or connecting, or if there will be none. */
  nextTryMs: z.number().optional(),
  /** Redis time of the newest read of keys; null before the first. */
  snapshotAt: z.number().nullable(),
  /** How often a read differed from what was expected, although no blind spot explains the difference. */
  drift: z.number(),
  /** Why held locks may be missing from lists. Absent: no reason is known. */
  missing: z
    .object({
      /** The part of the first scan of all keys that is done, from 0 to 1; absent once it is complete. */
      firstScan: z.number().optional(),
      /** More locks are held than `--memory` has room for. */
      isFull: z.boolean().optional(),
      /** Whether this user lacks rights: `unseen` names them. */
      lacksRights: z.boolean().optional(),
      /** In a fleet: the bus dropped lines, and the observer has not written its state since. */
      hasLostLines: z.boolean().optional(),
    })
    .optional(),
  /** Keys that are too large to be read, or refused: known locks, and keys that may be locks. Absent: none. */
  unread: z
    .object({
      count: z.number(),
      /** At most ten of these keys, known locks first. */
      first: z.array(
        z.object({
          db: z.number(),
          /** At most the first 200 characters of the name. */
          name: z.string(),
          reason: unreadReason,
          /** The number of fields or bytes; 0 if it is not known. */
          size: z.number(),
          /** Redis time since which the key is not read. */
          since: z.number(),
          /** Whether this is a known lock. It is shown as it was at `since`, which may be wrong by now. */
          isKnownLock: z.boolean(),
        }),
      ),
    })
    .optional(),
  /**
   * Keys that may be own locks of an application, made with `SET … NX` and a lease, but for which too little was seen.
   * They are not shown as locks unless the user asks for them (`POST /api/sources/ID/own-locks`). Absent: no such keys,
   * and the user decided nothing.
   */
  ownLocks: z
    .object({
      count: z.number(),
      /** Whether there are more such keys than `count`. */
      isMore: z.boolean(),
      /** At most ten of their names, the newest first, at most 200 characters of each. */
      names: z.array(z.string()),
      isShown: z.boolean(),
      /** What the user decided, by the form of names: `order:#` are all orders. Absent: nothing. */
      decided: z.array(z.object({ form: z.string(), isLock: z.boolean() })).optional(),
    })
    .optional(),
  /** Lines and frames that could not be read. */
  rejected: z.number(),
  /** Why the newest of `rejected` could not be read. Absent: not known, or all could be read. */
  rejectedFor: z.enum(REJECTED_REASONS).optional(),
  /** Redis's clock minus this machine's, in milliseconds. */
  clockOffsetMs: z.number(),
  /**
   * By how much Redis's clock is behind the times of this source, in milliseconds: it went back while it was watched,
   * or another server took over, and times go on from the clock before. Absent: it is not behind.
   */
  clockBehindMs: z.number().optional(),
  /** Redis time since which the source has been watched at this level without a break. Absent: it is not watched. */
  watchedSince: z.number().optional(),
  /** Redis time since which the source is not watched. Absent: it is watched, or never was. */
  unwatchedSince: z.number().optional(),
  /** The source is a recording. Its beginning and end are in the Redis time of the recording. */
  recording: z
    .object({
      name: z.string(),
      startedAt: z.number(),
      endsAt: z.number(),
      /**
       * The recording belongs to a demo and is not an opened file: when played, its events arrive at the recorded pace,
       * with current times.
       */
      playing: z.boolean(),
      /**
       * The recording was made from the text of `redis-cli monitor`, which shows less than a recording of Lockscope.
       */
      isText: z.boolean().optional(),
      /** What was around the lines of the text (`text-skipped`). Absent: nothing. */
      skipped: problemSchema.optional(),
      /** The end of the file is missing. */
      cutShort: z.boolean(),
      /** Lines that could not be read: their number, and the first of them. */
      badLines: z.object({
        count: z.number(),
        first: z.array(z.object({ line: z.number(), reason: z.enum(BAD_LINE_REASONS) })),
      }),
    })
    .optional(),
  /** The recording that is being written. */
  recorder: z
    .object({
      file: z.string(),
      state: z.enum(['waiting', 'writing', 'failed', 'ended']),
      signals: z.number(),
      bytes: z.number(),
      problem: problemSchema.optional(),
    })
    .optional(),
});

export type ObserveLevel = z.infer<typeof observeLevel>;
export interface Source extends z.infer<typeof sourceFields> {}
export const sourceSchema: z.ZodType<Source> = sourceFields;
