import { z } from 'zod';
import { EVENT_TYPES } from '../events/event.ts';
import { TOPICS } from '../events/topics.ts';
import { lockKind, lockSchema } from './lock.ts';
import { lockEventSchema } from './lock-event.ts';
import { problemSchema } from './problems/problem-schema.ts';
import { db, flag, inOrder, instant, limit, lockName, source } from './query.ts';
import { observeLevel, sourceSchema } from './source.ts';

/** Version of every JSON body and socket message. */
export const WIRE_VERSION = 1;

export const errorBody = z.object({
  /** `field`: the part of the request that is wrong. */
  error: problemSchema.extend({ field: z.string().optional() }),
});

export const healthBody = z.object({
  v: z.literal(1),
  status: z.enum(['ok', 'degraded', 'down']),
  version: z.string(),
  /** Redis time of this answer, by the clock of the first source. */
  at: z.number(),
  sources: z.array(sourceSchema),
  /** Whether this process was started with the demo. */
  demo: z.boolean(),
  /** Whether locks can be released by force. */
  canRelease: z.boolean().optional(),
  /** The state of the history ring. */
  history: z.object({ events: z.number(), oldestSeq: z.number(), nextSeq: z.number(), capped: z.boolean() }),
  /** Memory of the whole process, and the parts of it that events and locks take. */
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
       * Redis time at which the process last exceeded its limit, so that events and locks got less room; null if that never
       * happened.
       */
      shedAt: z.number().nullable(),
    })
    .optional(),
  /** Messages of `--webhook` about critical verdicts. Absent: there is no webhook. */
  webhook: z
    .object({
      sent: z.number(),
      waiting: z.number(),
      /** Messages that were not delivered. */
      gaveUp: z.number(),
      /** Why the newest attempt that failed has failed, without the address. Absent: none has failed. */
      problem: z.string().optional(),
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

/** A lock of that name in any source and database, now or as of an instant. */
export const lockQuery = z.object({ source: source.optional(), db: db.optional(), at: instant.optional() });
export const namedLockQuery = lockQuery.extend({ name: lockName });

export const eventsQuery = z.object({
  /** Only events with a higher `seq`; without it, the newest `limit` events. */
  after: z.coerce.number().int().min(0).optional(),
  /** Only events with a lower `seq`: the newest `limit` of them. Not together with `after`. */
  before: z.coerce.number().int().min(1).optional(),
  /** Only events at or after `from`, and at or before `to`. */
  from: instant.optional(),
  to: instant.optional(),
  lock: lockName.optional(),
  type: z.enum(EVENT_TYPES).optional(),
  /** Only events of the types of this topic. */
  topic: z.enum(TOPICS).optional(),
  holder: z.string().max(1024).optional(),
  /** Any part of the lock's name, or of the holder's id, name or thread. Case is ignored. */
  lockPart: z.string().max(1024).optional(),
  holderPart: z.string().max(1024).optional(),
  group: z.string().max(64).optional(),
  source: source.optional(),
  db: db.optional(),
  /** Only the first and the last attempt of a dense run, such as a hot loop: their numbers show how many there were. */
  dense: flag.optional(),
  limit: limit(5000, 500),
});
export const eventsBody = z.object({
  v: z.literal(1),
  events: z.array(lockEventSchema),
  /** True if `limit` was reached: there may be more. */
  isCut: z.boolean().optional(),
  nextSeq: z.number(),
  oldestSeq: z.number(),
});

export const signalsPath = z.object({ seq: z.coerce.number().int().min(0) });
export const signalsBody = z.object({
  v: z.literal(1),
  seq: z.number(),
  /** Redis lines, with values redacted that are not lock fields; pushes start with `> `. */
  signals: z.array(z.string()),
});

export const spansQuery = z
  .object({
    from: instant.optional(),
    to: instant.optional(),
    lock: lockName.optional(),
    source: source.optional(),
    db: db.optional(),
    /** Only spans of at least this length, and open ones. */
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
  /** Null: still open. */
  to: z.number().nullable(),
  /** Null: still open. `unseen`: its end was not seen, for example because of a blind spot. */
  ended: z.string().nullable(),
  /** True if it began before watching began. */
  openStart: z.boolean(),
  deepest: z.number().optional(),
  renewals: z.array(z.number()).optional(),
  /** The number of renewals before the first one listed. Absent: none. */
  renewalsBefore: z.number().optional(),
  attempts: z.number().optional(),
  /** The `seq` of its first event; `toSeq` is that of its last one. */
  fromSeq: z.number(),
  toSeq: z.number().nullable(),
});
export const spansBody = z.object({ v: z.literal(1), spans: z.array(spanSchema), truncated: z.boolean() });

export const recordingQuery = z
  .object({ from: instant.optional(), to: instant.optional(), source: source.optional() })
  .refine(...inOrder);

/** Whether keys that look like an application's own locks are shown as locks. */
export const ownLocksBody = z.object({ shown: z.boolean() });

export const observeBody = z
  .object({
    level: observeLevel,
    /** After this many milliseconds the previous level is restored. Level `monitor` without it: 5 minutes. */
    forMs: z.number().int().min(1000).max(86_400_000).optional(),
    /** Level `monitor` without an end. Not together with `forMs`. */
    openEnded: z.boolean().optional(),
    /** Switches to `monitor` even if that exceeds the budget for Redis's CPU. */
    force: z.boolean().optional(),
  })
  .refine(({ forMs, openEnded }) => forMs === undefined || openEnded !== true, {
    path: ['openEnded'],
    params: { together: 'forMs' },
  });

/** The source after its level, or what it shows, was changed. */
export const sourceBody = z.object({ v: z.literal(1), source: sourceSchema });

export type Health = z.infer<typeof healthBody>;
export type Span = z.infer<typeof spanSchema>;
export type ErrorBody = z.infer<typeof errorBody>;
