import { z } from 'zod';
import { EVENT_TYPES } from '../events/event.ts';
import { TOPICS } from '../events/topics.ts';
import { lockKind, lockSchema } from './locks/lock.ts';
import { lockEventSchema } from './locks/lock-event.ts';
import { problemFields, problemSchema } from './problems/problem-schema.ts';
import { cursor, db, flag, inOrder, instant, limit, lockName, source } from './query.ts';
import { observeLevel, sourceSchema } from './source.ts';
import { unseenThen } from './unseen-at.ts';

export const errorBody = z.object({
  /** `field`: the part of the request that is wrong. */
  error: problemFields.extend({ field: z.string().optional() }),
});

/** Traces, logs or metrics of OpenTelemetry: items that the receiver accepted, that wait, and that were dropped. */
const exported = z.object({ sent: z.number(), waiting: z.number(), dropped: z.number() });

export const healthBody = z.object({
  v: z.literal(1),
  status: z.enum(['ok', 'degraded', 'down']),
  version: z.string(),
  /** Redis time of this answer, by the clock of the first source. */
  at: z.number(),
  sources: z.array(sourceSchema),
  /** Whether this process was started with the demo. */
  demo: z.boolean(),
  /** Whether Lockscope may release locks by force. */
  canRelease: z.boolean().optional(),
  /** The events in memory. `capped`: older events have been dropped. */
  history: z.object({ events: z.number(), oldestSeq: z.number(), nextSeq: z.number(), capped: z.boolean() }),
  /** Memory of the whole process, and the parts of it that events and locks take. */
  memory: z
    .object({
      limitMb: z.number(),
      usedMb: z.number(),
      eventsMb: z.number(),
      locksMb: z.number(),
      locks: z.number(),
      /** How many of the locks are held. */
      locksHeld: z.number(),
      /** True once a lock was dropped from memory: the list is not complete. */
      locksCapped: z.boolean(),
      /** Redis time of the oldest event, approximately; null before the first. */
      oldestAt: z.number().nullable(),
      /**
       * Redis time at which the process last exceeded its limit, so that events and locks got less room; null if that
       * never happened.
       */
      shedAt: z.number().nullable(),
    })
    .optional(),
  /** The store of `--store`. Absent: nothing is kept beyond memory. */
  store: z
    .object({
      /** The name of its file, or the URL of its database, without user and password. */
      file: z.string(),
      bytes: z.number(),
      /** Redis time of the oldest instant in the store; null: nothing is stored yet. */
      from: z.number().nullable(),
      /** Redis time of the newest event in the store; null: nothing is stored yet. */
      to: z.number().nullable(),
      /** History ends at this Redis time, because nothing can be stored since then; null: history is being stored. */
      until: z.number().nullable(),
      problem: problemSchema.optional(),
    })
    .optional(),
  /** What `--otlp` exports. Absent: nothing is exported. */
  otlp: z
    .object({
      spans: exported,
      logs: exported,
      /** Points of metrics. */
      metrics: exported,
      /** Why items were last dropped, without the address of the receiver. Absent: no item was dropped. */
      problem: z.string().optional(),
    })
    .optional(),
  /** Messages of `--webhook` about critical verdicts. Absent: there is no webhook. */
  webhook: z
    .object({
      sent: z.number(),
      waiting: z.number(),
      /** Messages that were not delivered. */
      gaveUp: z.number(),
      /** Why an attempt to deliver last failed, without the address. Absent: no attempt has failed. */
      problem: z.string().optional(),
    })
    .optional(),
});

export const locksQuery = z.object({
  q: z.string().max(1024).optional().describe('Part of the name. Case is ignored.'),
  kind: lockKind.optional().describe('Only locks of this kind.'),
  held: flag.optional().describe('Only locks that are held, or only free locks.'),
  source: source.optional(),
  db: db.optional(),
  at: instant.optional().describe('The list as of this instant (Redis time, µs). Absent: now.'),
  limit: limit(1000, 200),
  cursor: cursor.optional(),
});
export const locksBody = z.object({
  v: z.literal(1),
  at: z.number(),
  locks: z.array(lockSchema),
  total: z.number(),
  nextCursor: z.string().optional(),
  ...unseenThen,
});

export const lockPath = z.object({
  name: z
    .string()
    .describe('Name of the lock.')
    .meta({ examples: ['orders:42'] }),
});
/** A lock with the requested name, in any source and database, now or as of an instant. */
export const lockQuery = z.object({
  source: source.optional(),
  db: db.optional(),
  at: instant.optional().describe('The lock as of this instant (Redis time, µs). Absent: now.'),
});
export const namedLockQuery = lockQuery.extend({ name: lockName });

const seq = z.coerce.number().int().min(0);

/** Which events are requested, apart from their time and order. */
const eventFilter = {
  lock: lockName.optional().describe('Only events of the lock with this name.'),
  type: z.enum(EVENT_TYPES).optional().describe('Only events of this type.'),
  topic: z.enum(TOPICS).optional().describe('Only events of the types of this topic.'),
  holder: z.string().max(1024).optional().describe('Only events of this holder: `uuid:thread`, or a token.'),
  lockPart: z.string().max(1024).optional().describe('Any part of the name of the lock. Case is ignored.'),
  group: z.string().max(64).optional().describe('Only events of this multi lock or RedLock.'),
  source: source.optional(),
  db: db.optional(),
};

export const eventsQuery = z
  .object({
    after: seq.optional().describe('Only events with a higher `seq`. Without it: the newest `limit` events.'),
    before: z.coerce
      .number()
      .int()
      .min(1)
      .optional()
      .describe('Only events with a lower `seq`: the newest `limit` of them. Not together with `after`.'),
    from: instant.optional().describe('Only events at or after this instant (Redis time, µs).'),
    to: instant.optional().describe('Only events at or before this instant (Redis time, µs).'),
    ...eventFilter,
    holderPart: z
      .string()
      .max(1024)
      .optional()
      .describe('Any part of the id, the name or the thread of the holder. Case is ignored.'),
    dense: flag
      .optional()
      .describe('Only the first and the last attempt of a hot loop: their numbers show how many there were.'),
    limit: limit(5000, 500),
  })
  .refine(({ after, before }) => after === undefined || before === undefined, {
    path: ['before'],
    params: { together: 'after' },
  });
export const eventStreamQuery = z.object({
  after: seq.optional().describe('Begins with the event after this `seq`. Without it: only new events.'),
  ...eventFilter,
});
/** Browsers and other readers of event streams send this header when they connect again. */
export const eventStreamHeaders = z.object({
  'last-event-id': seq.optional().describe('The last `id` that was received. Replaces `after`.'),
});
/** What an event stream sends as `resync` in place of events that are no longer in memory. */
export const resyncData = z.object({ oldestSeq: z.number(), nextSeq: z.number() });
export const eventsBody = z.object({
  v: z.literal(1),
  events: z.array(lockEventSchema),
  /** True if `limit`, or the greatest size of an answer, was reached: there may be more events. */
  isCut: z.boolean().optional(),
  nextSeq: z.number(),
  oldestSeq: z.number(),
});

export const signalsPath = z.object({ seq: seq.describe('`seq` of the event.').meta({ examples: [1] }) });
export const signalsBody = z.object({
  v: z.literal(1),
  seq: z.number(),
  /** Redis lines, with values redacted that are not lock fields; pushes start with `> `. */
  signals: z.array(z.string()),
});

export const spansQuery = z
  .object({
    from: instant.optional().describe('Only spans that end after this instant (Redis time, µs), and open ones.'),
    to: instant.optional().describe('Only spans that begin before this instant (Redis time, µs).'),
    lock: lockName.optional(),
    source: source.optional(),
    db: db.optional(),
    minMs: z.coerce.number().min(0).optional().describe('Only spans of at least this length in ms, and open ones.'),
  })
  .refine(...inOrder);

export const spanSchema = z.object({
  kind: z.enum(['hold', 'wait']),
  source: z.string(),
  db: z.number(),
  lock: z.string(),
  holder: z.string(),
  from: z.number(),
  /** When the span ended; null: it has not. */
  to: z.number().nullable(),
  /** How the span ended; null: it has not. `unseen`: its end was not seen, for example because of a blind spot. */
  ended: z.string().nullable(),
  /** True if the span began before watching began. */
  openStart: z.boolean(),
  deepest: z.number().optional(),
  renewals: z.array(z.number()).optional(),
  /** The number of renewals before the first one listed. Absent: none. */
  renewalsBefore: z.number().optional(),
  attempts: z.number().optional(),
  /** The `seq`s of the first and of the last event of the span; `toSeq` null: the span has not ended. */
  fromSeq: z.number(),
  toSeq: z.number().nullable(),
});
export const spansBody = z.object({ v: z.literal(1), spans: z.array(spanSchema), truncated: z.boolean() });

export const recordingQuery = z
  .object({
    from: instant.optional().describe('Begin (Redis time, µs). Absent: the oldest instant in memory.'),
    to: instant.optional().describe('End (Redis time, µs). Absent: now.'),
    source: source.optional().describe('Id of the source, as in GET /api/health. Absent: the first one.'),
  })
  .refine(...inOrder);

export const ownLocksBody = z
  .object({
    shown: z
      .boolean()
      .optional()
      .describe(
        "Whether all keys that look like an application's own locks are shown as locks. Absent: `name` decides.",
      ),
    name: z
      .string()
      .min(1)
      .optional()
      .describe('A key. What is decided about it counts for all keys with names of this form.'),
    isLock: z
      .boolean()
      .nullable()
      .optional()
      .describe('With `name`. True: they are locks. False: they are not, and are not shown. Null: takes that back.'),
  })
  .refine(({ shown, name, isLock }) => (shown === undefined) === (name !== undefined && isLock !== undefined), {
    path: ['shown'],
  });

export const observeBody = z
  .object({
    level: observeLevel.describe('How the source is watched from now on.'),
    forMs: z
      .number()
      .int()
      .min(1000)
      .max(86_400_000)
      .optional()
      .describe('After this many ms the previous level is restored. Level `monitor` without it: 5 minutes.'),
    openEnded: z.boolean().optional().describe('Level `monitor` without an end. Not together with `forMs`.'),
    force: z.boolean().optional().describe("Switches to `monitor` even if that exceeds the budget for Redis's CPU."),
  })
  .refine(({ forMs, openEnded }) => forMs === undefined || openEnded !== true, {
    path: ['openEnded'],
    params: { together: 'forMs' },
  });

/** A document in OpenAPI 3.1. It has no `v`, because that format has no room for it. */
export const openApiBody = z.looseObject({
  openapi: z.string(),
  info: z.looseObject({ title: z.string(), version: z.string() }),
  servers: z.array(z.looseObject({ url: z.string() })).readonly(),
  paths: z.record(z.string(), z.unknown()),
});

/** The source after its level, or what it shows, was changed. */
export const sourceBody = z.object({ v: z.literal(1), source: sourceSchema });

export type Health = z.infer<typeof healthBody>;
export type Span = z.infer<typeof spanSchema>;
export type ErrorBody = z.infer<typeof errorBody>;
