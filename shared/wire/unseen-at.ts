import { z } from 'zod';

/** What could not be seen of one source at an instant. */
const unseenAtSchema = z.object({
  source: z.string(),
  /**
   * The source was not watched then, and had not been since this Redis time (µs): what is shown of it is as it was last
   * seen. Absent: it was watched.
   */
  unwatchedSince: z.number().optional(),
  /**
   * What was hidden although it was watched: `presence` of clients, `key-events`, some `locks`, how many `listeners` a
   * lock had, `queues` of fair locks, locks that `--match` left out (`unmatched`).
   */
  lacks: z.array(z.string()),
});
export type UnseenAt = z.infer<typeof unseenAtSchema>;

/** The part of an answer about a past instant that lists the sources of which not everything could be seen then. Absent: none. */
export const unseenThen = { unseen: z.array(unseenAtSchema).optional() };
