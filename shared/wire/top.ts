import { z } from 'zod';
import { SEVERITIES } from '../insights/insight.ts';
import { insightSchema } from './insights/insight.ts';
import { lockKind } from './locks/lock.ts';
import { sourceFields } from './source.ts';

const common = { v: z.literal(1), /** Redis time in µs. */ at: z.number() };

/** A line of `lockscope top --json`: a source, the figures of all locks, or a verdict changed. */
export const topLine = z.discriminatedUnion('event', [
  z.object({
    ...common,
    event: z.literal('source'),
    source: sourceFields.pick({
      id: true,
      url: true,
      redisVersion: true,
      role: true,
      status: true,
      level: true,
      cannotSee: true,
      problem: true,
    }),
    /** False: the figures show the last seen state of the source's locks. */
    isWatched: z.boolean(),
  }),
  z.object({
    ...common,
    event: z.literal('locks'),
    held: z.number(),
    /** How many locks threads wait for, or connections listen for while the locks cannot be acquired. */
    wanted: z.number(),
    /** True: there may be more of them, because not every lock was counted, or because waiters may be hidden. */
    isWantedAtLeast: z.literal(true).optional(),
    /**
     * The number of threads that wait. Null: not known, for example because of the level, or because a thread slept
     * before watching began.
     */
    waiters: z.number().nullable(),
    /** The open verdicts, the worst 1000 at most. */
    verdicts: z.record(z.enum(SEVERITIES), z.number()),
    /** How many open verdicts are not in `verdicts`. Absent: none. */
    moreVerdicts: z.number().optional(),
    /** The held or wanted lock that needs attention first; null: no lock is held or wanted. */
    first: z
      .object({
        source: z.string(),
        db: z.number(),
        lock: z.string(),
        kind: lockKind,
        /** The first ten holders, at most. */
        holders: z.array(z.string()),
        /** When the oldest hold began, or was first seen; null: not known. */
        since: z.number().nullable(),
        /** The oldest hold may have begun before `since`. */
        isAtLeast: z.literal(true).optional(),
        /** How many threads wait for that lock; null: not known. */
        waiters: z.number().nullable(),
      })
      .nullable(),
  }),
  z.object({
    ...common,
    event: z.literal('verdict'),
    /** `unknown`: it can no longer be known whether the verdict is still true. */
    state: z.enum(['opened', 'closed', 'unknown']),
    insight: insightSchema,
  }),
]);
export type TopLine = z.infer<typeof topLine>;
