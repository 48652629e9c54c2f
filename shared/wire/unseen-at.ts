import { z } from 'zod';

/** What could not be seen of one source at an instant. */
const unseenAtSchema = z.object({
  source: z.string(),
  /**
   * The source was not watched at that instant, and had not been since this Redis time (µs). Its locks are shown as
   * they were last seen. Absent: it was watched.
   */
  unwatchedSince: z.number().optional(),
  /**
   * What could not be seen although the source was watched: the `presence` of clients, `key-events`, some `locks`, how
   * many `listeners` a lock had, `queues` of fair locks, locks that `--match` left out (`unmatched`).
   */
  lacks: z.array(z.string()),
});
export type UnseenAt = z.infer<typeof unseenAtSchema>;

/**
 * The part of an answer about a past instant that lists the sources of which not everything could be seen then. Absent:
 * there are no such sources.
 */
export const unseenThen = { unseen: z.array(unseenAtSchema).optional() };
