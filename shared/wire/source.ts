import { z } from 'zod';

/** How much of Redis a source sees, from least to most. */
export const observeLevel = z.enum(['snapshot', 'events', 'monitor']);

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
  /** Sentences: what this level cannot see. */
  cannotSee: z.array(z.string()),
  /** What the key-event feed is: pushed notifications, client tracking, or off. */
  keyEvents: z.enum(['notifications', 'tracking', 'off']),
  /** One line saying what is wrong and what to do, when status is not `observing`. */
  problem: z.object({ code: z.string(), message: z.string(), hint: z.string() }).optional(),
  /** Redis time of the last snapshot; null before the first. */
  snapshotAt: z.number().nullable(),
  /** Differences between state and snapshot that no blind spot explains. */
  drift: z.number(),
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
