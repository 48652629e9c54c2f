import { z } from 'zod';
import { lockKind } from './locks/lock.ts';
import { inOrder, instant, limit, lockName } from './query.ts';

export const outlineQuery = z
  .object({
    from: instant.describe('Begin (Redis time, µs).').meta({ examples: [0] }),
    to: instant.optional().describe('End (Redis time, µs). Absent: now.'),
    columns: limit(4000, 1000).describe('Into how many columns of equal length the time is divided.'),
    lock: lockName.optional().describe('Name of a lock. Absent: all locks.'),
  })
  .refine(...inOrder);

/** Runs of columns as `first, length, first, length, …`, in order: `[3, 2]` are the columns 3 and 4. */
const columns = z.array(z.number());

/** One lock: the columns in which it was held at any time, and those in which a thread waited for it. */
const lockOutlineSchema = z.object({
  source: z.string(),
  db: z.number(),
  lock: z.string(),
  kind: lockKind,
  held: columns,
  waited: columns,
});

/** When locks were held and waited for. Times long ago may be less exact than a column. */
export const outlineBody = z.object({
  v: z.literal(1),
  /** Not before `oldestAt`, whatever was requested. */
  from: z.number(),
  to: z.number(),
  columns: z.number(),
  /** The oldest instant in memory; null while it is empty. */
  oldestAt: z.number().nullable(),
  /** How many events of all locks and sources there were in the range. */
  events: z.number(),
  /**
   * When a source was not watched in this range: then nothing is known about its locks. `to` null: it is still not
   * watched.
   */
  blind: z.array(z.object({ source: z.string(), from: z.number(), to: z.number().nullable() })),
  /** The lock that changed last is first. */
  locks: z.array(lockOutlineSchema),
  /** How many locks are left out, because an answer has at most 300,000 numbers. */
  omitted: z.number(),
});

export type OutlineBody = z.infer<typeof outlineBody>;
