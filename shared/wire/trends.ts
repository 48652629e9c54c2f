import { z } from 'zod';
import { inOrder, instant, limit } from './query.ts';
import { unseenThen } from './unseen-at.ts';

export const trendsQuery = z
  .object({
    from: instant.optional().describe('Begin (Redis time, µs). Absent: 5 minutes before `to`.'),
    to: instant.optional().describe('End (Redis time, µs). Absent: now.'),
    bins: limit(2000, 60).describe('The approximate number of bins: their length is rounded up to whole seconds.'),
  })
  .refine(...inOrder);

const figure = z.number().nullable();

/** Figures for one range of time. Null means not known, 0 means none. */
export const trendBinSchema = z.object({
  /** The beginning of the bin: a multiple of the bin length. */
  at: z.number(),
  /** The highest number of waiters at one time. */
  waiters: figure,
  /**
   * The 95th percentile of the waits that ended in an acquisition in this bin, and whose beginning was seen; null also
   * without such a wait.
   */
  waitP95Ms: figure,
  /** The greatest age of a wait in progress. */
  oldestWaitMs: figure,
  /** Whether that wait, or another one, may have begun earlier than was seen. */
  oldestIsAtLeast: z.boolean(),
  /** Acquisitions by a holder that had waited. */
  handovers: figure,
  refusals: figure,
  renewals: figure,
  /** Lock events of any type that were seen. */
  events: figure,
  /**
   * `partly`: not all of the time, or not all sources; the figures cover what was seen. `forgotten`: before this
   * process began, or too long ago.
   */
  seen: z.enum(['watched', 'partly', 'unwatched', 'forgotten']),
  /** False: the level of at least one source does not show waits and refusals, or no source was watched. */
  waitsSeen: z.boolean(),
});

export const trendsBody = z.object({
  v: z.literal(1),
  from: z.number(),
  to: z.number(),
  /** Length of one bin. */
  binMs: z.number(),
  /** When counting began; null: not yet. */
  oldestAt: z.number().nullable(),
  /** Oldest first; the last bin may not be over yet. */
  bins: z.array(trendBinSchema),
  /** What could not be seen at `to`. */
  ...unseenThen,
});

export type TrendBin = z.infer<typeof trendBinSchema>;
