import { z } from 'zod';

/** The command that was sent or, in a dry run, would be, and the holders and waiters that it concerns. */
export const releaseBody = z.object({
  v: z.literal(1),
  released: z.boolean(),
  dryRun: z.boolean(),
  source: z.string(),
  db: z.number(),
  lock: z.string(),
  /** The holders that lose the lock. */
  holders: z.array(z.string()),
  /** When each holder acquired the lock; null: not seen. */
  since: z.array(z.number().nullable()),
  /**
   * `waiting`: how many threads are known to wait. `channel`: where the message is published that wakes them; null:
   * they poll. In a fair lock, only the first thread in the queue gets a message. Its channel is another one, whose
   * name begins with that of `channel`.
   */
  waiting: z.number(),
  channel: z.string().nullable(),
  /** The words of the command. */
  command: z.array(z.string()),
});

export type ReleaseBody = z.infer<typeof releaseBody>;

/** The head that was removed or, in a dry run, would be, and the waiter behind it. */
export const deadHeadBody = z.object({
  v: z.literal(1),
  removed: z.boolean(),
  dryRun: z.boolean(),
  source: z.string(),
  db: z.number(),
  lock: z.string(),
  head: z.string(),
  /** The deadline of the head in epoch ms, as Redis stores it; empty: it has none. */
  deadline: z.string(),
  /** The next head, and whether its client is gone too; null: the queue will be empty. */
  next: z.object({ id: z.string(), gone: z.boolean() }).nullable(),
  /**
   * The channel on which the next head gets a message; null: no message is sent, because the lock is held or the queue
   * will be empty.
   */
  channel: z.string().nullable(),
  /** The words of the command. */
  command: z.array(z.string()),
});

export type DeadHeadBody = z.infer<typeof deadHeadBody>;
