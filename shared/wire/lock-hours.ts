import { z } from 'zod';
import { db, inOrder, instant, lockName, source } from './query.ts';

export const lockHoursQuery = z
  .object({
    lock: lockName,
    source: source.optional(),
    db: db.optional(),
    from: instant.optional().describe('Begin (Redis time, µs). Absent: 30 days before `to`. At most 92 days are read.'),
    to: instant.optional().describe('End (Redis time, µs). Absent: now.'),
  })
  .refine(...inOrder);

/** How much of an hour a source was watched, and how much of it at a level that shows which threads wait. */
const watchedHour = z.object({ at: z.number(), watchedMs: z.number(), waitsSeenMs: z.number() });

/** Sums of one hour of a lock. */
const lockHour = z.object({
  at: z.number(),
  /** Holds and waits that were first seen in this hour. Their time is counted in each hour in which they lasted. */
  holds: z.number(),
  heldMs: z.number(),
  waits: z.number(),
  waitedMs: z.number(),
  /** How long other threads waited because of holds of this lock. */
  causedMs: z.number(),
  /** True: a hold or wait began before it was seen, so the times are at least these. */
  isAtLeast: z.boolean(),
});

/**
 * The hours of all locks with one name, as the store has them. `at`: the beginning of an hour of UTC, in Redis time
 * (µs).
 */
export const lockHoursBody = z.object({
  v: z.literal(1),
  from: z.number(),
  to: z.number(),
  /** Since when hours are counted; null: there is no store. */
  since: z.number().nullable(),
  /**
   * The hours in which each source was watched. An hour that is missing was not watched, if it is after `since`. Before
   * that, nothing is known.
   */
  watched: z.array(z.object({ source: z.string(), hours: z.array(watchedHour) })),
  /**
   * The hours of each lock in which it was held or waited for. If an hour is missing, no hold or wait was seen in it.
   */
  locks: z.array(z.object({ source: z.string(), db: z.number(), hours: z.array(lockHour) })),
});

type Query = z.infer<typeof lockHoursQuery>;
/** The lock and the range, in µs, whose hours are read. */
export type LockHoursAsked = Pick<Query, 'lock' | 'source' | 'db'> & { readonly from: number; readonly to: number };
type LockHoursBody = z.infer<typeof lockHoursBody>;
export type LockHours = Omit<LockHoursBody, 'v'>;
