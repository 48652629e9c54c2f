import { z } from 'zod';
import { db, lockName, source } from './query.ts';

const confirm = lockName.describe('The name of the lock, typed again.');
const dryRun = z.boolean().optional().describe('Only answers what would be sent.');

/** Asks to release a lock by force. */
export const releaseRequest = z.object({
  confirm,
  source: source.optional(),
  db: db.optional(),
  holders: z
    .array(z.string().max(1000))
    .max(1000)
    .optional()
    .describe('Ids of the holders that the asker saw. Absent: those that Lockscope sees now.'),
  since: z
    .array(z.number().nullable())
    .max(1000)
    .optional()
    .describe('When each of `holders` acquired the lock, as the dry run answered. Absent: at any time.'),
  dryRun,
});

/** What was sent, or would be, and to whom it matters. */
export const releaseBody = z.object({
  v: z.literal(1),
  released: z.boolean(),
  dryRun: z.boolean(),
  source: z.string(),
  db: z.number(),
  lock: z.string(),
  /** The holders that lose the lock. */
  holders: z.array(z.string()),
  /** When each of them acquired it; null: not seen. */
  since: z.array(z.number().nullable()),
  /**
   * How many threads are known to wait, and the channel on which they get a message; null: they poll. Of a fair lock only
   * the first in the queue gets one, on a channel of its own that begins with this one.
   */
  waiting: z.number(),
  channel: z.string().nullable(),
  /** The words of the command. */
  command: z.array(z.string()),
});

export type ReleaseBody = z.infer<typeof releaseBody>;

/** Asks to remove the dead head of a fair lock's queue. */
export const deadHeadRequest = z.object({
  confirm,
  source: source.optional(),
  db: db.optional(),
  head: z.string().max(1000).optional().describe('The head, as the dry run showed it. Required without `dryRun`.'),
  deadline: z
    .string()
    .max(100)
    .optional()
    .describe('Its deadline, as the dry run showed it. Required without `dryRun`.'),
  dryRun,
});

/** What was removed, or would be, and which waiter is next. */
export const deadHeadBody = z.object({
  v: z.literal(1),
  removed: z.boolean(),
  dryRun: z.boolean(),
  source: z.string(),
  db: z.number(),
  lock: z.string(),
  head: z.string(),
  /** Its deadline in epoch ms, as Redis wrote it; empty: it has none. */
  deadline: z.string(),
  /** The next head, and whether its client is gone too; null: the queue is empty then. */
  next: z.object({ id: z.string(), gone: z.boolean() }).nullable(),
  /** The channel on which the next head gets a message; null: it gets none, because the lock is held or the queue is empty. */
  channel: z.string().nullable(),
  /** The words of the command. */
  command: z.array(z.string()),
});

export type DeadHeadBody = z.infer<typeof deadHeadBody>;
