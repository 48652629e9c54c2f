import { z } from 'zod';
import { EVENT_TYPES } from '../events/event.ts';
import { lockKind, lockSchema } from './lock.ts';
import { lockEventSchema } from './lock-event.ts';
import { db, flag, inOrder, instant, limit, lockName, source } from './query.ts';
import { observeLevel, sourceSchema } from './source.ts';

/** Version of every JSON body and socket message. */
export const WIRE_VERSION = 1;

export const errorBody = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    hint: z.string(),
    field: z.string().optional(),
    /** The figures in the message. */
    values: z.record(z.string(), z.number()).optional(),
  }),
});

export const healthBody = z.object({
  v: z.literal(1),
  status: z.enum(['ok', 'degraded', 'down']),
  version: z.string(),
  /** Redis time of this answer, by the clock of the first source. */
  at: z.number(),
  sources: z.array(sourceSchema),
  /** What this process was started with, as far as the page must know. */
  demo: z.boolean(),
  /** Numbers of the history ring. */
  history: z.object({ events: z.number(), oldestSeq: z.number(), nextSeq: z.number(), capped: z.boolean() }),
  /** Memory of the whole process, and what of it events and locks take. */
  memory: z
    .object({
      limitMb: z.number(),
      usedMb: z.number(),
      eventsMb: z.number(),
      locksMb: z.number(),
      locks: z.number(),
      /** True once a lock was evicted: the list is not complete. */
      locksCapped: z.boolean(),
      /** Redis time of about the oldest event; null before the first. */
      oldestAt: z.number().nullable(),
      /**
       * Redis time of when the process had last taken more than its limit, so that events and locks got less room; null
       * if that never happened.
       */
      shedAt: z.number().nullable(),
    })
    .optional(),
});

export const locksQuery = z.object({
  q: z.string().max(1024).optional(),
  kind: lockKind.optional(),
  held: flag.optional(),
  source: source.optional(),
  db: db.optional(),
  /** The list as of this instant; absent: as of now. */
  at: instant.optional(),
  limit: limit(1000, 200),
  cursor: z.coerce.number().int().min(0).optional(),
});
export const locksBody = z.object({
  v: z.literal(1),
  at: z.number(),
  locks: z.array(lockSchema),
  total: z.number(),
  nextCursor: z.string().optional(),
});

export const eventsQuery = z.object({
  /** Only events with a higher `seq`; without it, the newest `limit` events. */
  after: z.coerce.number().int().min(0).optional(),
  /** Only events with a lower `seq`: the newest `limit` of them. Not together with `after`. */
  before: z.coerce.number().int().min(1).optional(),
  /** Only events at or after this instant, and at or before this one. */
  from: instant.optional(),
  to: instant.optional(),
  lock: lockName.optional(),
  type: z.enum(EVENT_TYPES).optional(),
  holder: z.string().max(1024).optional(),
  /** Any part of the lock's name, or of the holder's id, name or thread, whatever the case. */
  lockPart: z.string().max(1024).optional(),
  holderPart: z.string().max(1024).optional(),
  group: z.string().max(64).optional(),
  source: source.optional(),
  db: db.optional(),
  /** Of the attempts of a dense run, such as a hot loop, only the first and the last: their numbers tell how many. */
  dense: flag.optional(),
  limit: limit(5000, 500),
});
export const eventsBody = z.object({
  v: z.literal(1),
  events: z.array(lockEventSchema),
  /** True where `limit` was reached: there may be more. */
  isCut: z.boolean().optional(),
  nextSeq: z.number(),
  oldestSeq: z.number(),
});

export const signalsBody = z.object({
  v: z.literal(1),
  seq: z.number(),
  /** Redis lines, verbatim but for what is no lock field; pushes start with `> `. */
  signals: z.array(z.string()),
});

export const spansQuery = z
  .object({
    from: instant.optional(),
    to: instant.optional(),
    lock: lockName.optional(),
    source: source.optional(),
    db: db.optional(),
    /** Only spans of at least this length, or still going. */
    minMs: z.coerce.number().min(0).optional(),
  })
  .refine(...inOrder);

export const spanSchema = z.object({
  kind: z.enum(['hold', 'wait']),
  source: z.string(),
  db: z.number(),
  lock: z.string(),
  holder: z.string(),
  from: z.number(),
  /** Null: still going. */
  to: z.number().nullable(),
  /** Null: still going. `unseen`: nobody was watching when it ended. */
  ended: z.string().nullable(),
  /** True when it began before anybody watched. */
  openStart: z.boolean(),
  deepest: z.number().optional(),
  renewals: z.array(z.number()).optional(),
  /** How many renewals there were before the first of those. Absent: none. */
  renewalsBefore: z.number().optional(),
  attempts: z.number().optional(),
  /** `seq`s of the events it was made from, first and last. */
  fromSeq: z.number(),
  toSeq: z.number().nullable(),
});
export const spansBody = z.object({ v: z.literal(1), spans: z.array(spanSchema), truncated: z.boolean() });

/** Whether keys that look like an application's own locks are shown as locks. */
export const ownLocksBody = z.object({ shown: z.boolean() });

export const observeBody = z
  .object({
    level: observeLevel,
    /** After this many milliseconds the level before comes back. Level `monitor` without it: 5 minutes. */
    forMs: z.number().int().min(1000).max(86_400_000).optional(),
    /** Level `monitor` without an end. Not together with `forMs`. */
    openEnded: z.boolean().optional(),
    /** Switches to `monitor` although it is over the budget for Redis's CPU. */
    force: z.boolean().optional(),
  })
  .refine(({ forMs, openEnded }) => forMs === undefined || openEnded !== true, {
    path: ['openEnded'],
    message: 'forMs gives an end',
  });

export type Health = z.infer<typeof healthBody>;
export type Span = z.infer<typeof spanSchema>;
export type ErrorBody = z.infer<typeof errorBody>;
